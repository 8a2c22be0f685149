package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/observability.md say what the code does. */
class ObservabilityPageTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
    private static final Pattern NAME_IN_PLACE =
            Pattern.compile("(?i)(?:sink|metrics(?:\\(\\))?)\\.(?:count|gauge|time)\\(\\s*\"");

    @Test
    void hasARowForEachMetricAndForNoOther() throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve("docs/observability.md")).stream()
                .filter(line -> line.matches("\\| `[a-z0-9_]+` \\| (?:counter|timer|gauge) \\|.*"))
                .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', line.indexOf('|', 2) + 1) + 1)))
                .map(String::strip)
                .toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Metric.values())
                        .map(ObservabilityPageTest::row)
                        .toList());
    }

    private static String row(Metric metric) {
        String labels = String.join(
                ", ", metric.labels().stream().map(label -> "`" + label + "`").toList());
        return ("| `" + metric.metricName() + "` | " + metric.type().name().toLowerCase(Locale.ROOT) + " | " + labels)
                .strip();
    }

    @Test
    void labelsOfAMetricAreSorted() {
        assertThat(Metric.values())
                .allSatisfy(metric -> assertThat(metric.labels()).isSorted().doesNotHaveDuplicates());
    }

    /** Otherwise the table could not know it. */
    @Test
    void noMeasurementIsNamedWhereItIsTaken() throws IOException {
        List<String> named = new ArrayList<>();
        for (Path source : sources()) {
            if (NAME_IN_PLACE.matcher(Files.readString(source)).find()) {
                named.add(ROOT.relativize(source).toString());
            }
        }
        assertThat(named).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("volume-spi", "volume-core", "volume-csi")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
            }
        }
        return sources;
    }
}
