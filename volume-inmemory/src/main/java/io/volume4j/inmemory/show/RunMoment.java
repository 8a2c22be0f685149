package io.volume4j.inmemory.show;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of a timeline.
 *
 * @param time from the line, without its unit
 * @param from the lane at its begin, {@code ""} for none
 * @param to the lane at its end, {@code ""} for none
 * @param text the line without its time
 */
record RunMoment(String time, Kind kind, String from, String to, String text) {
    /** The kind of event, which determines its colour on the page. */
    enum Kind {
        STEP,
        CALL,
        ANSWER,
        WRITE,
        /** A process starts, stops, or comes back. */
        LIFE,
        FAULT,
        BROKEN,
        OTHER
    }

    static final String SCENARIO = "scenario";
    private static final Pattern LINE = Pattern.compile("\\s*([0-9]+\\.[0-9]+) s  (.*)", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile("\\w+ (\\S+).* by (\\S+)#\\d+");
    private static final Pattern ANSWER = Pattern.compile("(\\w+) (\\S+) ended: (.*)", Pattern.DOTALL);
    private static final Pattern WRITE = Pattern.compile(
            "(?:create|patch|patchStatus|update|delete) (\\w+/\\S*/\\S+) ([^\\s:]+)(?:: .*)?", Pattern.DOTALL);
    private static final Pattern LIFE =
            Pattern.compile("(\\S+) (starts|stops|is back|is cut off|is booted|is killed|dies|crashes).*");
    private static final Pattern STEP = Pattern.compile("step .*", Pattern.DOTALL);

    /** All moments of a timeline, in order; lines with another format stay as they are. */
    static List<RunMoment> read(List<String> timeline) {
        List<RunMoment> moments = new ArrayList<>();
        Map<String, String> callers = new HashMap<>();
        for (String line : timeline) {
            Matcher parts = LINE.matcher(line);
            moments.add(
                    parts.matches()
                            ? of(parts.group(1), parts.group(2), callers)
                            : new RunMoment("", Kind.OTHER, "", "", line));
        }
        return List.copyOf(moments);
    }

    /** @param callers the last caller, by call and volume */
    private static RunMoment of(String time, String text, Map<String, String> callers) {
        Matcher call = CALL.matcher(text);
        Matcher answer = ANSWER.matcher(text);
        Matcher write = WRITE.matcher(text);
        Matcher life = LIFE.matcher(text);
        if (text.startsWith("BROKEN")) {
            return new RunMoment(time, Kind.BROKEN, "", "", text);
        }
        if (STEP.matcher(text).matches()) {
            return new RunMoment(time, Kind.STEP, SCENARIO, "", text);
        }
        if (call.matches()) {
            callers.put(text.substring(0, text.indexOf(' ')) + " " + call.group(1), call.group(2));
            return new RunMoment(time, Kind.CALL, call.group(2), call.group(1), text);
        }
        if (answer.matches()) {
            String caller = callers.getOrDefault(answer.group(1) + " " + answer.group(2), "");
            Kind kind = answer.group(3).equals("ok") ? Kind.ANSWER : Kind.FAULT;
            return new RunMoment(time, kind, answer.group(2), caller, text);
        }
        if (write.matches()) {
            return new RunMoment(time, Kind.WRITE, write.group(2), write.group(1), text);
        }
        if (life.matches()) {
            boolean starts = life.group(2).equals("starts") || life.group(2).equals("is back");
            return new RunMoment(time, starts ? Kind.LIFE : Kind.FAULT, life.group(1), "", text);
        }
        boolean fault = text.contains("simulated failure") || text.contains("lands late");
        return new RunMoment(time, fault ? Kind.FAULT : Kind.OTHER, "", "", text);
    }
}
