package io.volume4j.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every benchmark still runs, at a size that takes no time; what it finds is not looked at. */
@Timeout(600)
class BenchmarksTest {
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    @TempDir
    Path scratch = Path.of("");

    private int run(String... arguments) {
        PrintStream both = new PrintStream(text, true, StandardCharsets.UTF_8);
        return Benchmarks.run(arguments, InputStream.nullInputStream(), both, both);
    }

    private String said() {
        return text.toString(StandardCharsets.UTF_8);
    }

    static Stream<String> names() {
        return Benchmarks.all().stream().map(Benchmark::name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void runsAndSaysOnWhatAndHowItGrows(String name) throws Exception {
        int code = run("--smoke", "--scratch", scratch.toString(), name);

        if (said().contains("cannot run here")) {
            // Without root there are no mounts; without Maven, JMH's processor has not run.
            boolean mustRun = "required".equals(System.getProperty("volume4j.privileged"))
                    && Benchmarks.class.getResource(Micro.LIST) != null;
            assumeThat(mustRun).isTrue();
        }
        assertThat(code).as(said()).isZero();
        assertThat(said())
                .contains(name + ": ")
                .contains("machine  ", "JDK      ", "commit   ", "warm-up  ")
                .contains("growth: ", "10 times", "100 times")
                .contains("Growth of cost in this run");
        try (Stream<Path> left = Files.list(scratch)) {
            assertThat(left).as("left behind").isEmpty();
        }
    }

    @Test
    void roundsAreSummedUpAndDrawn() throws Exception {
        Path plot = scratch.resolve("ratios.svg");

        assertThat(run(
                        "--smoke",
                        "--rounds",
                        "2",
                        "--plot",
                        plot.toString(),
                        "--scratch",
                        scratch.toString(),
                        "journal"))
                .as(said())
                .isZero();

        assertThat(said()).contains("round 2 of 2", "Ratios of 2 rounds", "median", "greatest");
        assertThat(plot).content().contains("<svg", "2 rounds", "intents/s");
    }

    @Test
    void refusesAPlotThatItCannotWriteBeforeItMeasures() {
        Path plot = scratch.resolve("absent/ratios.svg");
        assertThat(run("--smoke", "--plot", plot.toString(), "journal")).isEqualTo(2);
        assertThat(said()).contains("--plot: cannot write " + plot).hasLineCount(1);
    }

    @Test
    void refusesNoRounds() {
        assertThat(run("--rounds", "0", "--smoke", "journal")).isEqualTo(2);
        assertThat(said()).contains("--rounds must be positive");
    }

    @Test
    void namesWhatThereIsWhenAskedForSomethingElse() throws Exception {
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(said()).contains("there is no benchmark nonsense").contains("mount-latency");
    }
}
