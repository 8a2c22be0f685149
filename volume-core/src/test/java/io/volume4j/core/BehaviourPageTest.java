package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every test that {@code docs/behaviour.md} and {@code docs/attach-detach.md} name is there, and every row of the first says
 * something.
 */
class BehaviourPageTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
    private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z]+)#([a-z][A-Za-z0-9]*)`");
    private static final Pattern NAMED_AS_A_WHOLE = Pattern.compile("`([A-Z][A-Za-z]+(?:Test|Contract|Check))`");

    private static final Pattern SCENARIO = Pattern.compile("`([a-z]+/[a-z0-9-]+\\.yaml)`");
    private static final Pattern SHOWN =
            Pattern.compile("`[A-Z][A-Za-z]+(Test|Contract|Check)(#[A-Za-z0-9]+)?`|" + SCENARIO.pattern());
    private static final Pattern HEADING = Pattern.compile(
            "\\| (upstream's test|pain|upstream) \\| (ours|why it does not happen here|here, and why) \\|");

    @ParameterizedTest
    @CsvSource({"docs/behaviour.md, 150", "docs/attach-detach.md, 30"})
    void namesTestsThatExist(String document, int atLeast) {
        Map<String, String> sources = tests();
        List<String> wrong = new ArrayList<>();
        int named = 0;
        Matcher name = NAMED.matcher(read(ROOT.resolve(document)));
        while (name.find()) {
            named++;
            String source = sources.get(name.group(1));
            if (source == null
                    || !Pattern.compile("\\bvoid " + name.group(2) + "\\(")
                            .matcher(source)
                            .find()) {
                wrong.add(name.group());
            }
        }
        NAMED_AS_A_WHOLE
                .matcher(read(ROOT.resolve(document)))
                .results()
                .filter(whole -> !sources.containsKey(whole.group(1)))
                .forEach(whole -> wrong.add(whole.group()));
        assertThat(wrong).as("tests without code").isEmpty();
        assertThat(named).isGreaterThan(atLeast);
    }

    /** A statement that no test shows is how a page comes to say what was true once. */
    @Test
    void everyRowNamesATestOrAScenarioThatShowsIt() {
        List<String> rows = page().lines()
                .filter(line -> line.startsWith("| "))
                .filter(line -> !HEADING.matcher(line).matches())
                .toList();
        assertThat(rows).hasSizeGreaterThan(100);
        assertThat(rows).filteredOn(row -> !SHOWN.matcher(row).find()).isEmpty();
    }

    @Test
    void namesScenariosThatExist() {
        Path scenarios = ROOT.resolve("volume-inmemory/verification/src/test/resources/scenarios");
        Matcher named = SCENARIO.matcher(page());
        while (named.find()) {
            assertThat(scenarios.resolve(named.group(1))).exists();
        }
    }

    private static String page() {
        return read(ROOT.resolve("docs/behaviour.md"));
    }

    /** The text of every test class and contract, by simple name; classes of one name together. */
    private static Map<String, String> tests() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String folder : List.of(
                "volume-spi/src/test/java",
                "volume-core/src/test/java",
                "volume-csi/src/test/java",
                "volume-inmemory/src/test/java",
                "volume-inmemory/verification/src/test/java",
                "volume-inmemory/src/main/java/io/volume4j/inmemory/contract",
                "examples")) {
            if (!Files.isDirectory(ROOT.resolve(folder))) {
                continue;
            }
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                    String name = file.getFileName().toString().replace(".java", "");
                    sources.merge(name, read(file), String::concat);
                });
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
