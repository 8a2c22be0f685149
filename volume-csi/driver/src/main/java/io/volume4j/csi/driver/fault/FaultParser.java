package io.volume4j.csi.driver.fault;

import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules as text, one per line: {@code RPC [volume=PATTERN] [node=PATTERN] [call=N|N-M|N-] POINT ACTION}. The parser ignores
 * empty lines and comments after {@code #}. An action is a gRPC code with an optional message, {@code delay=500ms},
 * {@code late}, {@code hang}, {@code reset}, {@code half-close}, {@code oversize=8Mi}, {@code drip=10ms}, {@code crash} or
 * {@code crash-losing-state}.
 *
 * <pre>
 * CreateVolume call=1 after crash
 * NodeStageVolume volume=vol-1* during UNAVAILABLE the disk is asleep
 * Node* node=node-2 before hang
 * </pre>
 */
final class FaultParser {
    private static final List<String> CODES = List.of(
            "CANCELLED",
            "UNKNOWN",
            "INVALID_ARGUMENT",
            "DEADLINE_EXCEEDED",
            "NOT_FOUND",
            "ALREADY_EXISTS",
            "PERMISSION_DENIED",
            "RESOURCE_EXHAUSTED",
            "FAILED_PRECONDITION",
            "ABORTED",
            "OUT_OF_RANGE",
            "UNIMPLEMENTED",
            "INTERNAL",
            "UNAVAILABLE",
            "DATA_LOSS",
            "UNAUTHENTICATED");

    private static final Set<String> RPCS = Stream.of(
                    IdentityGrpc.getServiceDescriptor(),
                    ControllerGrpc.getServiceDescriptor(),
                    GroupControllerGrpc.getServiceDescriptor(),
                    SnapshotMetadataGrpc.getServiceDescriptor(),
                    NodeGrpc.getServiceDescriptor())
            .flatMap(service -> service.getMethods().stream())
            .map(method -> Objects.requireNonNull(method.getBareMethodName()))
            .collect(Collectors.toUnmodifiableSet());

    private final String line;

    private FaultParser(String line) {
        this.line = line;
    }

    /** @throws IllegalArgumentException with the invalid line */
    static List<FaultRule> parse(String text) {
        List<FaultRule> rules = new ArrayList<>();
        for (String each : text.split("\\R", -1)) {
            int comment = each.indexOf('#');
            String line = (comment < 0 ? each : each.substring(0, comment)).strip();
            if (!line.isEmpty()) {
                rules.add(new FaultParser(line).rule());
            }
        }
        return rules;
    }

    private FaultRule rule() {
        List<String> words = new ArrayList<>(List.of(line.split("\\s+")));
        String rpc = words.remove(0);
        if (RPCS.stream().noneMatch(name -> FaultRule.matches(rpc, name))) {
            throw wrong("no call of CSI is called " + rpc);
        }
        Map<String, String> where = new TreeMap<>();
        while (!words.isEmpty() && words.get(0).matches("(volume|node|call)=.*")) {
            String[] pair = words.remove(0).split("=", 2);
            where.put(pair[0], pair[1]);
        }
        if (words.size() < 2) {
            throw wrong("expected RPC [volume=…] [node=…] [call=…] before|during|after ACTION");
        }
        FaultPoint point = point(words.remove(0));
        FaultRule rule = FaultRule.on(rpc, point, action(words))
                .subject(where.getOrDefault("volume", "*"))
                .node(where.getOrDefault("node", "*"));
        return count(rule, where.getOrDefault("call", "1-"));
    }

    private FaultPoint point(String word) {
        for (FaultPoint point : FaultPoint.values()) {
            if (point.name().toLowerCase(Locale.ROOT).equals(word)) {
                return point;
            }
        }
        throw wrong("\"" + word + "\" is none of before, during and after");
    }

    private FaultRule count(FaultRule rule, String text) {
        try {
            int dash = text.indexOf('-');
            if (dash < 0) {
                return rule.call(Integer.parseInt(text));
            }
            String end = text.substring(dash + 1);
            return rule.calls(
                    Integer.parseInt(text.substring(0, dash)),
                    end.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(end));
        } catch (NumberFormatException notANumber) {
            throw wrong("call=" + text + " is no number and no range");
        }
    }

    private FaultAction action(List<String> words) {
        String word = words.get(0);
        String rest = String.join(" ", words.subList(1, words.size()));
        if (CODES.contains(word)) {
            return FaultAction.status(word, rest);
        }
        if (!rest.isEmpty()) {
            throw wrong("nothing is expected after " + word);
        }
        if (word.startsWith("delay=")) {
            return FaultAction.delay(duration(word.substring("delay=".length())));
        }
        if (word.startsWith("drip=")) {
            return FaultAction.drip(duration(word.substring("drip=".length())));
        }
        if (word.startsWith("oversize=")) {
            return FaultAction.oversize(bytes(word.substring("oversize=".length())));
        }
        for (FaultAction.Kind kind : FaultAction.Kind.values()) {
            if (kind.label().equals(word)) {
                return switch (kind) {
                    case LATE, HANG, RESET, HALF_CLOSE, CRASH, CRASH_LOSING_STATE -> FaultAction.of(kind);
                    case STATUS -> throw wrong("a status is written as its gRPC code");
                    case DELAY, DRIP, OVERSIZE ->
                        throw wrong(word + " needs a value, such as " + word + "=10ms or =8Mi");
                };
            }
        }
        throw wrong("no action is called \"" + word + "\"");
    }

    private Duration duration(String text) {
        if (!text.matches("[0-9]{1,9}m?s")) {
            throw wrong("\"" + text + "\" is no duration such as 500ms or 2s");
        }
        long number = Long.parseLong(text.replaceAll("[ms]", ""));
        return text.endsWith("ms") ? Duration.ofMillis(number) : Duration.ofSeconds(number);
    }

    private long bytes(String text) {
        try {
            if (text.endsWith("Mi")) {
                return Long.parseLong(text.substring(0, text.length() - 2)) << 20;
            }
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            throw wrong("\"" + text + "\" is no size such as 8Mi");
        }
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("\"" + line + "\": " + why);
    }
}
