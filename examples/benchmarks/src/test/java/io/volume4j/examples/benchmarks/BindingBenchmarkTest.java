package io.volume4j.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark does what it says that it measures, at a size that takes no time. */
@Timeout(120)
class BindingBenchmarkTest {
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final BindingBenchmark benchmark =
            new BindingBenchmark(new PrintStream(text, true, StandardCharsets.UTF_8));

    @Test
    void bindsEveryClaimAndThenSomeMore() throws InterruptedException {
        assertThat(benchmark.bind(300, 20)).isEqualTo(320);
        assertThat(text.toString(StandardCharsets.UTF_8)).contains("bind ").contains("one more ");
    }

    @Test
    void hasAVolumeMadeForEveryClaim() throws InterruptedException {
        assertThat(benchmark.provision(100)).isEqualTo(100);
    }
}
