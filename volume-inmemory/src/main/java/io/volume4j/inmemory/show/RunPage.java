package io.volume4j.inmemory.show;

import io.volume4j.inmemory.scenario.ScenarioResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Shows a run as one self-contained HTML page. It has a lane for each process and each object. From top to bottom it
 * shows their actions, and marks steps, faults, crashes and broken rules. Pure.
 *
 * @since 0.1.0
 */
public final class RunPage {
    private static final int ROW = 22;
    private static final int HEAD = 118;
    private static final int TIME = 84;
    private static final int LANE = 96;

    private final List<RunMoment> moments;
    private final List<String> lanes;

    private RunPage(List<String> timeline) {
        this.moments = RunMoment.read(timeline);
        Set<String> names = new LinkedHashSet<>(List.of(RunMoment.SCENARIO));
        moments.forEach(moment -> names.add(moment.from()));
        moments.forEach(moment -> names.add(moment.to()));
        names.remove("");
        this.lanes = List.copyOf(names);
    }

    /** The page of a scenario's run. */
    public static String of(ScenarioResult result) {
        return of(
                (result.passed() ? "PASS " : "FAIL ") + result.name(),
                result.source() + ", seed " + result.seed() + ", hash " + Long.toHexString(result.hash()),
                result.failures(),
                result.timeline());
    }

    /**
     * The page of any run.
     * @param title the name and the result of the run
     * @param about how to repeat the run
     * @param failures the failed expectations and broken rules
     * @param timeline the lines of the simulation, each beginning with its time
     */
    public static String of(String title, String about, List<String> failures, List<String> timeline) {
        RunPage page = new RunPage(timeline);
        StringBuilder html = new StringBuilder(1 << 16);
        html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
                .append(escaped(title))
                .append("</title>\n<style>\n")
                .append(RunStyle.CSS)
                .append("</style>\n</head>\n<body>\n<h1>")
                .append(escaped(title))
                .append("</h1>\n<p class=\"about\">")
                .append(escaped(about))
                .append("</p>\n");
        failures.forEach(failure ->
                html.append("<pre class=\"failure\">").append(escaped(failure)).append("</pre>\n"));
        html.append(
                "<p class=\"about\"><span class=\"step\">step of the scenario</span> <span class=\"call\">call of a plugin</span>"
                        + " <span class=\"answer\">answer</span> <span class=\"write\">write to the cluster</span>"
                        + " <span class=\"fault\">fault or crash</span> <span class=\"broken\">broken rule</span></p>\n");
        page.picture(html);
        return html.append("</body>\n</html>\n").toString();
    }

    private void picture(StringBuilder html) {
        int width = TIME + lanes.size() * LANE + 900;
        int height = HEAD + moments.size() * ROW + ROW;
        html.append(String.format(
                Locale.ROOT,
                "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%d moments in %d lanes\">%n",
                width,
                height,
                moments.size(),
                lanes.size()));
        for (String lane : lanes) {
            int x = x(lane);
            html.append(String.format(
                    Locale.ROOT,
                    "<line class=\"lane\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>",
                    x,
                    x,
                    HEAD - 8,
                    height));
            html.append(String.format(
                    Locale.ROOT,
                    "<text class=\"name\" transform=\"translate(%d %d) rotate(-32)\">%s<title>%s</title></text>%n",
                    x,
                    HEAD - 14,
                    escaped(cut(lane, 20)),
                    escaped(lane)));
        }
        for (int i = 0; i < moments.size(); i++) {
            moment(html, moments.get(i), i == 0 ? "" : moments.get(i - 1).time(), HEAD + i * ROW + ROW / 2);
        }
        html.append("</svg>\n");
    }

    private void moment(StringBuilder html, RunMoment moment, String before, int y) {
        String kind = moment.kind().name().toLowerCase(Locale.ROOT);
        int text = TIME + lanes.size() * LANE;
        html.append("<g class=\"")
                .append(kind)
                .append("\"><title>")
                .append(escaped(moment.text()))
                .append("</title>");
        html.append(String.format(
                Locale.ROOT,
                "<rect class=\"band\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
                y - ROW / 2,
                text + 900,
                ROW));
        if (!moment.time().equals(before)) {
            html.append(String.format(
                    Locale.ROOT,
                    "<text class=\"time\" x=\"%d\" y=\"%d\">%s</text>",
                    TIME - 40,
                    y + 4,
                    escaped(moment.time())));
        }
        if (!moment.from().isEmpty()) {
            int from = x(moment.from());
            html.append(String.format(Locale.ROOT, "<circle cx=\"%d\" cy=\"%d\" r=\"4\"/>", from, y));
            if (!moment.to().isEmpty() && !moment.to().equals(moment.from())) {
                int to = x(moment.to());
                int side = to > from ? -7 : 7;
                html.append(
                        String.format(Locale.ROOT, "<path d=\"M%d %dH%dM%d %dl%d -4v8z\"/>", from, y, to, to, y, side));
            }
        }
        html.append(String.format(
                Locale.ROOT,
                "<text class=\"what\" x=\"%d\" y=\"%d\">%s</text></g>%n",
                text,
                y + 4,
                escaped(cut(moment.text(), 150))));
    }

    private int x(String lane) {
        return TIME + lanes.indexOf(lane) * LANE + 8;
    }

    private static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
    }

    private static String escaped(String text) {
        List<String> parts = new ArrayList<>();
        text.codePoints()
                .forEach(point -> parts.add(
                        switch (point) {
                            case '&' -> "&amp;";
                            case '<' -> "&lt;";
                            case '>' -> "&gt;";
                            case '"' -> "&quot;";
                            default -> Character.toString(point);
                        }));
        return String.join("", parts);
    }
}
