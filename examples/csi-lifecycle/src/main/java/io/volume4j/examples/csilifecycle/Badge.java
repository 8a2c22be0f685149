package io.volume4j.examples.csilifecycle;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A badge with the result of a driver: a self-contained SVG, and its data. Both are the same for the same result, so that a
 * repository that stores them changes only with the result.
 */
final class Badge {
    private static final int CHARACTER = 7;
    private static final int MARGIN = 10;

    private final String driver;
    private final Report report;

    Badge(String driver, Report report) {
        this.driver = driver.strip();
        this.report = report;
    }

    private Report.Outcome outcome() {
        if (report.count(Report.Outcome.FAILED) > 0) {
            return Report.Outcome.FAILED;
        }
        return report.count(Report.Outcome.PASSED) > 0 ? Report.Outcome.PASSED : Report.Outcome.SKIPPED;
    }

    private String message() {
        long passed = report.count(Report.Outcome.PASSED);
        return passed + " of " + (passed + report.count(Report.Outcome.FAILED)) + " passed";
    }

    private String color() {
        return switch (outcome()) {
            case PASSED -> "#2e7d32";
            case FAILED -> "#c62828";
            case SKIPPED -> "#757575";
        };
    }

    String svg() {
        String label = Report.xmlText("CSI " + Report.SPECIFICATION + " " + driver);
        String message = Report.xmlText(message());
        int left = width("CSI " + Report.SPECIFICATION + " " + driver);
        int right = width(message());
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="20" role="img" aria-label="%2$s: %3$s">
                <title>%2$s: %3$s</title>
                <rect width="%1$d" height="20" rx="3" fill="#424242"/>
                <path d="M%4$d 0h%5$da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H%4$dz" fill="%6$s"/>
                <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
                <text x="%7$d" y="14">%2$s</text>
                <text x="%8$d" y="14">%3$s</text>
                </g>
                </svg>
                """.formatted(left + right, label, message, left, right - 3, color(), left / 2, left + right / 2);
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length()) * CHARACTER + MARGIN;
    }

    /** The outcome of each part: failed if one of its cases has failed, passed if one has passed and none has failed. */
    String json() {
        Map<String, Report.Outcome> parts = new LinkedHashMap<>();
        for (Report.Case each : report.cases()) {
            parts.merge(each.id().split("/", 2)[0], each.outcome(), Badge::worse);
        }
        List<String> words = parts.entrySet().stream()
                .map(part -> "\n    " + Report.quoted(part.getKey()) + ": \""
                        + part.getValue().word() + "\"")
                .toList();
        return """
                {
                  "driver": %s,
                  "csi": "%s",
                  "outcome": "%s",
                  "message": "%s",
                  "color": "%s",
                  "passed": %d,
                  "failed": %d,
                  "skipped": %d,
                  "parts": {%s
                  }
                }
                """.formatted(
                        Report.quoted(driver),
                        Report.SPECIFICATION,
                        outcome().word(),
                        message(),
                        color(),
                        report.count(Report.Outcome.PASSED),
                        report.count(Report.Outcome.FAILED),
                        report.count(Report.Outcome.SKIPPED),
                        String.join(",", words));
    }

    private static Report.Outcome worse(Report.Outcome one, Report.Outcome other) {
        if (one == Report.Outcome.FAILED || other == Report.Outcome.FAILED) {
            return Report.Outcome.FAILED;
        }
        return one == Report.Outcome.PASSED ? one : other;
    }
}
