package io.volume4j.ui.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A summary as lines of a terminal. Pure.
 *
 * @param width columns; longer lines are cut
 * @param colours whether ANSI sequences colour the states; each state is also a word
 * @param zone of the time of day
 */
public record Screen(int width, boolean colours, ZoneId zone) {
    private static final char ESCAPE = '\u001b';

    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final int SPARKS = 30;

    /** All lines, the first ones the most important. */
    public List<String> lines(JsonNode summary) {
        List<String> lines = new ArrayList<>();
        lines.add(bold(summary.path("title").asText() + "  "
                + DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
                        .withZone(zone)
                        .format(Instant.ofEpochMilli(summary.path("at").asLong()))));
        JsonNode counts = summary.path("counts");
        lines.add(state("failing", counts.path("failing").asText() + " failing") + "  "
                + state("uncertain", counts.path("uncertain").asText() + " uncertain") + "  "
                + state("waiting", counts.path("waiting").asText() + " waiting") + "  "
                + state("working", counts.path("working").asText() + " under way") + "  "
                + state("ok", counts.path("ok").asText() + " as it should be"));
        rates(lines, summary.path("rates"));
        sources(lines, summary);
        calls(lines, summary.path("calls"));
        attention(lines, summary);
        recent(lines, summary.path("recent"));
        return lines.stream().map(this::cut).toList();
    }

    /** The line with at most as many columns as the terminal has. Colours take none. */
    private String cut(String line) {
        StringBuilder kept = new StringBuilder();
        int columns = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == ESCAPE) {
                int end = line.indexOf('m', i);
                kept.append(line, i, end + 1);
                i = end;
            } else if (columns < width) {
                kept.append(line.charAt(i));
                columns++;
            }
        }
        return kept.toString();
    }

    private void rates(List<String> lines, JsonNode rates) {
        JsonNode perSecond = rates.path("perSecond");
        int last = perSecond.size() - 1;
        if (last < 0) {
            return;
        }
        double top = 1;
        for (JsonNode value : perSecond) {
            top = Math.max(top, value.asDouble());
        }
        StringBuilder sparks = new StringBuilder();
        for (int i = Math.max(0, perSecond.size() - Math.min(SPARKS, width / 4)); i <= last; i++) {
            sparks.append(BARS.charAt((int) Math.min(
                    BARS.length() - 1L, Math.round(perSecond.path(i).asDouble() / top * (BARS.length() - 1)))));
        }
        lines.add("steps " + sparks
                + String.format(Locale.ROOT, " %.1f/s", perSecond.path(last).asDouble()) + ", half within "
                + span(rates.path("p50").path(last).asDouble()) + ", 99 % within "
                + span(rates.path("p99").path(last).asDouble()));
    }

    private void sources(List<String> lines, JsonNode summary) {
        head(lines, "NODES AND CONTROLLERS");
        for (JsonNode source : summary.path("sources")) {
            JsonNode health = source.path("health");
            boolean silent = source.has("unansweredSince")
                    && summary.path("at").asLong()
                                    - source.path("unansweredSince").asLong()
                            > 1000;
            String word = silent
                    ? "silent"
                    : health.isMissingNode()
                            ? "not asked yet"
                            : !health.path("live").asBoolean()
                                    ? "not live"
                                    : !health.path("ready").asBoolean()
                                            ? "not ready"
                                            : health.path("leads").asBoolean() ? "works" : "stands by";
            String tone = word.equals("works")
                    ? "ok"
                    : word.equals("silent") || word.equals("not live") ? "failing" : "waiting";
            int all = 0;
            for (JsonNode count : source.path("counts")) {
                all += count.asInt();
            }
            JsonNode journal = source.path("journal");
            String log = journal.isMissingNode()
                    ? ""
                    : "journal " + journal.path("bytes").asLong() / 1024 + " KiB, sync "
                            + span(journal.path("p50").asDouble())
                            + (journal.path("outOfSpace").asBoolean() ? ", OUT OF SPACE" : "");
            List<String> reasons = new ArrayList<>();
            health.path("reasons").forEach(reason -> reasons.add(reason.asText()));
            lines.add(row(
                    padded(source.path("name").asText(), 20) + " " + state(tone, padded(word, 13)),
                    34,
                    padded(all + (source.path("node").asBoolean() ? " volumes" : " objects"), 15)
                            + log
                            + String.join("; ", reasons)));
        }
    }

    private void calls(List<String> lines, JsonNode calls) {
        head(lines, "CALLS UNDER WAY, past their deadline first");
        if (calls.isEmpty()) {
            lines.add("none");
        }
        for (JsonNode call : calls) {
            boolean writtenOff = call.path("state").asText().equals("WRITTEN_OFF");
            String word =
                    writtenOff ? "written off" : call.path("state").asText().toLowerCase(Locale.ROOT);
            String left = call.has("left")
                    ? " of "
                            + span(call.path("age").asDouble()
                                    + call.path("left").asDouble())
                    : "";
            lines.add(row(
                    state(writtenOff ? "uncertain" : "working", padded(word, 12)) + " "
                            + padded(words(call.path("kind").asText()), 16) + " "
                            + padded(span(call.path("age").asDouble()) + left, 18),
                    48,
                    call.path("source").asText() + "  " + call.path("key").asText()));
        }
    }

    /** Whether each node and controller has answered the view at least once. */
    private static boolean allAnswered(JsonNode summary) {
        boolean all = true;
        for (JsonNode source : summary.path("sources")) {
            all &= source.has("health");
        }
        return all;
    }

    private void attention(List<String> lines, JsonNode summary) {
        head(lines, "NOT AS IT SHOULD BE");
        if (summary.path("attention").isEmpty()) {
            lines.add(
                    allAnswered(summary)
                            ? "nothing: everything is as it should be"
                            : "nothing that is known: not every node and controller has answered the view yet");
        }
        for (JsonNode item : summary.path("attention")) {
            List<String> pods = new ArrayList<>();
            item.path("wanted").forEach(pod -> pods.add(pod.asText()));
            String name = pods.isEmpty() ? item.path("name").asText() : String.join(", ", pods);
            long next = item.path("nextTry").asLong() - summary.path("at").asLong();
            String text = item.path("error").asText().isEmpty()
                    ? item.path("why").asText()
                    : item.path("error").asText();
            lines.add(row(
                    state(item.path("state").asText(), padded(item.path("state").asText(), 12)) + " " + padded(name, 28)
                            + " "
                            + padded(
                                    item.path("nextTry").asLong() == 0 ? "" : "in " + span((double) Math.max(0, next)),
                                    10),
                    52,
                    text));
        }
    }

    private void recent(List<String> lines, JsonNode recent) {
        head(lines, "LATEST STEPS");
        for (JsonNode step : recent) {
            boolean failed = !step.path("failure").asText().isEmpty();
            lines.add(row(
                    state(failed ? "failing" : "ok", padded(failed ? "failed" : "done", 12)) + " "
                            + padded(words(step.path("kind").asText()), 16) + " "
                            + padded(span(step.path("millis").asDouble()), 18),
                    48,
                    step.path("key").asText()
                            + (failed ? "  " + step.path("failure").asText() : "")));
        }
    }

    private void head(List<String> lines, String text) {
        lines.add("");
        lines.add(bold(text));
    }

    /** A line with a first part of this many columns, cut to the width. */
    private String row(String first, int columns, String rest) {
        String plain = printable(rest);
        int room = Math.max(0, width - columns - 1);
        return first + " " + (plain.length() <= room ? plain : room == 0 ? "" : plain.substring(0, room - 1) + "…");
    }

    /**
     * Users choose names, so control characters are removed: they could control the terminal, also those above ASCII. Those that only
     * change the direction of the text could make it read as another.
     */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}]", " ");
    }

    private static String padded(String text, int columns) {
        String plain = printable(text);
        String cut = plain.length() <= columns ? plain : plain.substring(0, columns - 1) + "…";
        return cut + " ".repeat(columns - cut.length());
    }

    private String bold(String text) {
        return colours ? "\u001b[1m" + printable(text) + "\u001b[0m" : printable(text);
    }

    private String state(String state, String text) {
        int colour = switch (state) {
            case "failing" -> 31;
            case "uncertain" -> 35;
            case "waiting" -> 33;
            case "working" -> 34;
            default -> 32;
        };
        return colours ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }

    private static String words(String kind) {
        return kind.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String span(double millis) {
        if (millis < 10) {
            return String.format(Locale.ROOT, "%.1f ms", millis);
        }
        if (millis < 1000) {
            return Math.round(millis) + " ms";
        }
        long seconds = Math.round(millis / 1000);
        return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }
}
