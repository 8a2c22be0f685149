package io.volume4j.examples.csilifecycle;

import io.volume4j.examples.commandline.FileReason;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The results of all cases of a run, for programs: as JUnit's XML and as JSON. As on the console, messages contain no secrets.
 */
final class Report {
    /** The version of the specification from which the rules are. */
    static final String SPECIFICATION = "1.13.0";

    /** The id of the leak check's case. */
    static final String LEAK_CHECK = "leak-check";

    static final String LEAK_RULE =
            "nothing of what was made is left: at the driver, in the mount table, in the directory";

    private final List<Case> cases = new ArrayList<>();

    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One rule in one part of a run.
     *
     * @param id such as {@code restore/create}; the same in each run
     * @param message the reason of a failure or a skip, empty for a pass
     */
    record Case(String id, String rule, Outcome outcome, Duration took, String message) {}

    /** Merges the outcomes of cases in several reports: failed in one is failed, passed in one is passed. */
    void addAll(List<String> ids, List<Report> reports) {
        for (String id : ids) {
            reports.stream()
                    .flatMap(report -> report.cases.stream())
                    .filter(one -> one.id().equals(id))
                    .reduce(Report::worse)
                    .ifPresent(cases::add);
        }
    }

    private static Case worse(Case one, Case other) {
        boolean first = rank(one) <= rank(other);
        Case shown = first ? one : other;
        String message = one.outcome() == Outcome.FAILED && other.outcome() == Outcome.FAILED
                ? one.message() + "; " + other.message()
                : shown.message();
        return new Case(shown.id(), shown.rule(), shown.outcome(), one.took().plus(other.took()), message);
    }

    private static int rank(Case one) {
        return switch (one.outcome()) {
            case FAILED -> 0;
            case PASSED -> 1;
            case SKIPPED -> 2;
        };
    }

    void add(Case one) {
        cases.add(one);
    }

    List<Case> cases() {
        return List.copyOf(cases);
    }

    long count(Outcome outcome) {
        return cases.stream().filter(one -> one.outcome() == outcome).count();
    }

    /** @throws UncheckedIOException if a file cannot be written */
    void write(Arguments arguments, String driver) {
        Path junit = arguments.junit();
        if (junit != null) {
            write("--junit", junit, xml(driver));
        }
        Path json = arguments.json();
        if (json != null) {
            write("--json", json, json(driver));
        }
        Path badge = arguments.badge();
        if (badge != null) {
            Badge made = new Badge(driver, this);
            write("--badge", badge, made.svg());
            write("--badge", dataOfBadge(badge), made.json());
        }
    }

    /** The file beside a badge that has its data. */
    static Path dataOfBadge(Path badge) {
        return badge.resolveSibling(badge.getFileName() + ".json");
    }

    private static void write(String option, Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(option + ": cannot write " + file + ": " + FileReason.of(e), e);
        }
    }

    String xml(String driver) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter out = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            out.writeStartDocument("UTF-8", "1.0");
            out.writeStartElement("testsuite");
            out.writeAttribute("name", printable("csi-lifecycle " + driver));
            out.writeAttribute("tests", Integer.toString(cases.size()));
            out.writeAttribute("failures", Long.toString(count(Outcome.FAILED)));
            out.writeAttribute("errors", "0");
            out.writeAttribute("skipped", Long.toString(count(Outcome.SKIPPED)));
            for (Case one : cases) {
                out.writeStartElement("testcase");
                out.writeAttribute("classname", "csi-lifecycle");
                out.writeAttribute("name", one.id());
                out.writeAttribute("time", seconds(one.took()));
                if (one.outcome() != Outcome.PASSED) {
                    out.writeStartElement(one.outcome() == Outcome.FAILED ? "failure" : "skipped");
                    out.writeAttribute("message", printable(one.message()));
                    out.writeEndElement();
                }
                out.writeEndElement();
            }
            out.writeEndElement();
            out.writeEndDocument();
            out.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a report in memory cannot be written", e);
        }
        return text.append('\n').toString();
    }

    String json(String driver) {
        StringBuilder text = new StringBuilder("{\"driver\":" + quoted(driver));
        for (Outcome outcome : Outcome.values()) {
            text.append(",\"").append(outcome.word()).append("\":").append(count(outcome));
        }
        text.append(",\"cases\":[");
        for (Case one : cases) {
            text.append(text.charAt(text.length() - 1) == '[' ? "\n" : ",\n")
                    .append("{\"id\":" + quoted(one.id()) + ",\"rule\":" + quoted(one.rule()))
                    .append(",\"outcome\":\"" + one.outcome().word() + "\",\"seconds\":" + seconds(one.took()))
                    .append(",\"message\":" + quoted(one.message()) + "}");
        }
        return text.append("]}\n").toString();
    }

    private static String seconds(Duration took) {
        return String.format(Locale.ROOT, "%.3f", took.toNanos() / 1e9);
    }

    /** As a JSON string. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        printable(text).codePoints().forEach(point -> {
            if (point == '"' || point == '\\') {
                quoted.append('\\');
            }
            quoted.appendCodePoint(point);
        });
        return quoted.append('"').toString();
    }

    /** As XML text or an XML attribute. */
    static String xmlText(String text) {
        return printable(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** XML and JSON do not permit control characters; a driver may send any. */
    private static String printable(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints().forEach(point -> {
            boolean odd = Character.isISOControl(point)
                    || Character.getType(point) == Character.SURROGATE
                    || point == 0xFFFE
                    || point == 0xFFFF;
            plain.appendCodePoint(odd ? ' ' : point);
        });
        return plain.toString();
    }
}
