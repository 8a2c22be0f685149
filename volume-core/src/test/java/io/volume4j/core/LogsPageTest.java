package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/logs.md has a row for each line that the library can log, and for no other. */
class LogsPageTest {
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final String TEXT = "(" + LITERAL.pattern() + "(?:\\s*\\+\\s*" + LITERAL.pattern() + ")*)";
    private static final Pattern PLAIN = Pattern.compile("(?i)\\blog(ger)?\\s*\\.(trace|debug|info|warn|error)\\(");
    private static final Pattern FLUENT = Pattern.compile("\\.log\\(\\s*" + TEXT);
    private static final Pattern LEVEL = Pattern.compile("\\.at(Trace|Debug|Info|Warn|Error)\\(");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Za-z ]+) \\| `(.+)` \\|$");
    private static final String HEAD = "## Every line";
    private static final List<String> MODULES = List.of(
            "volume-spi",
            "volume-core",
            "volume-csi",
            "volume-core/jfr",
            "volume-core/micrometer",
            "volume-core/opentelemetry",
            "volume-core/ui");

    @Test
    void hasARowForEachLineAndForNoOther() {
        String page = Sources.read(Sources.ROOT.resolve("docs/logs.md"));
        Set<String> rows = new TreeSet<>();
        Matcher row = ROW.matcher(page.substring(page.indexOf(HEAD)));
        while (row.find()) {
            rows.add(row.group());
        }
        assertThat(rows).isEqualTo(lines());
    }

    /** A value in a pair can be searched for; one in the text cannot. */
    @Test
    void everyLineHasItsValuesInPairs() {
        List<Path> files = new ArrayList<>(Sources.javaFiles(Sources.ROOT.resolve("examples"), 99));
        MODULES.forEach(module -> files.addAll(Sources.javaFiles(Sources.ROOT.resolve(module), 99)));
        assertThat(files)
                .filteredOn(file -> file.toString().contains("src/main/java"))
                .isNotEmpty()
                .noneMatch(file -> PLAIN.matcher(Sources.read(file)).find());
    }

    private static Set<String> lines() {
        Set<String> lines = new TreeSet<>();
        for (String module : MODULES) {
            for (Path file : Sources.javaFiles(Sources.ROOT.resolve(module).resolve("src/main/java"), 99)) {
                String source = Sources.read(file);
                Matcher fluent = FLUENT.matcher(source);
                while (fluent.find()) {
                    lines.add(row(level(source.substring(0, fluent.start())), fluent.group(1)));
                }
            }
        }
        return lines;
    }

    /** The level that was named last; a line whose level is an argument has the one of its outcome. */
    private static String level(String before) {
        return LEVEL.matcher(before)
                .results()
                .map(named -> named.group(1).toUpperCase(Locale.ROOT))
                .reduce((first, last) -> last)
                .orElse("by outcome");
    }

    private static String row(String level, String literals) {
        String text = LITERAL.matcher(literals)
                .results()
                .map(literal -> literal.group(1))
                .collect(Collectors.joining())
                .replace("\\\"", "\"");
        return "| " + level + " | `" + text + "` |";
    }
}
