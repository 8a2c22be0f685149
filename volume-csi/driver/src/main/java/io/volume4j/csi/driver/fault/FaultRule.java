package io.volume4j.csi.driver.fault;

import java.util.regex.Pattern;

/**
 * One fault: the calls that it affects, and its effect.
 *
 * @param rpc name of the call, {@code *} for any characters
 * @param subject of the call (the volume's id or, before it has one, its name; likewise for a snapshot), {@code *} as above
 * @param node of the endpoint, {@code *} as above
 * @param first the first of the matching calls that fails, from 1
 * @param last the last of them
 * @since 0.1.0
 */
public record FaultRule(
        String rpc, String subject, String node, int first, int last, FaultPoint point, FaultAction action) {
    /** @throws IllegalArgumentException if no call can match */
    public FaultRule {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("calls are counted from 1 upwards, not %d-%d".formatted(first, last));
        }
    }

    /** A rule for every call of this name. */
    public static FaultRule on(String rpc, FaultPoint point, FaultAction action) {
        return new FaultRule(rpc, "*", "*", 1, Integer.MAX_VALUE, point, action);
    }

    /** The same for one of the matching calls. */
    public FaultRule call(int number) {
        return calls(number, number);
    }

    /** The same for a range of the matching calls. */
    public FaultRule calls(int from, int to) {
        return new FaultRule(rpc, subject, node, from, to, point, action);
    }

    public FaultRule subject(String pattern) {
        return new FaultRule(rpc, pattern, node, first, last, point, action);
    }

    public FaultRule node(String pattern) {
        return new FaultRule(rpc, subject, pattern, first, last, point, action);
    }

    boolean matches(String calledRpc, String calledSubject, String calledNode) {
        return matches(rpc, calledRpc) && matches(subject, calledSubject) && matches(node, calledNode);
    }

    static boolean matches(String pattern, String text) {
        StringBuilder regex = new StringBuilder();
        for (String part : pattern.split("\\*", -1)) {
            regex.append(regex.length() == 0 ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.matches(regex.toString(), text);
    }
}
