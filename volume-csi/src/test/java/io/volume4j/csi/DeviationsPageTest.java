package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of deviations in docs/csi.md names a test for each, and each test of deviations stands in it. */
class DeviationsPageTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
    private static final Path TESTS = ROOT.resolve("volume-csi/src/test/java/io/volume4j/csi");
    private static final Pattern ROW = Pattern.compile("^\\|.*\\| `([A-Za-z.]+)` \\|$");
    private static final Pattern METHOD = Pattern.compile("^ {4}void ([a-zA-Z]+)\\(");

    @Test
    void eachDeviationHasATestAndEachTestADeviation() throws IOException {
        List<String> named = named();
        assertThat(named).hasSizeGreaterThan(12).doesNotHaveDuplicates();
        assertThat(named.stream().filter(name -> name.indexOf('.') < 0))
                .containsExactlyInAnyOrderElementsOf(methods(TESTS.resolve("CsiDeviationsTest.java")));
        for (String elsewhere :
                named.stream().filter(name -> name.indexOf('.') >= 0).toList()) {
            String[] parts = elsewhere.split("\\.", -1);
            try (Stream<Path> all = Files.walk(TESTS)) {
                Path file = all.filter(path -> path.endsWith(parts[0] + ".java"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("there is no " + parts[0]));
                assertThat(methods(file)).as(elsewhere).contains(parts[1]);
            }
        }
    }

    private static List<String> named() throws IOException {
        try (Stream<String> lines = Files.lines(ROOT.resolve("docs/csi.md"))) {
            return lines.dropWhile(line -> !line.equals("## Deviations of real drivers"))
                    .skip(1)
                    .takeWhile(line -> !line.startsWith("## "))
                    .map(ROW::matcher)
                    .filter(Matcher::matches)
                    .map(row -> row.group(1))
                    .toList();
        }
    }

    private static List<String> methods(Path source) throws IOException {
        try (Stream<String> lines = Files.lines(source)) {
            return lines.map(METHOD::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .toList();
        }
    }
}
