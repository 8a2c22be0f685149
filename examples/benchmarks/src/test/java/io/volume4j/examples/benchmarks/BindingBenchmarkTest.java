package io.volume4j.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark does what it says that it measures, at a size that takes no time. */
@Timeout(120)
class BindingBenchmarkTest {
    private final BindingBenchmark benchmark = new BindingBenchmark();

    @Test
    void bindsEveryClaimAndThenSomeMore() throws InterruptedException {
        BindingBenchmark.Measured measured = benchmark.bind(300, 20);

        assertThat(measured.bound()).isEqualTo(344);
        assertThat(measured.one().all().count()).isEqualTo(20);
        assertThat(measured.alone().withoutWrites().count()).isEqualTo(4);
    }

    @Test
    void hasAVolumeMadeForEveryClaim() throws InterruptedException {
        assertThat(benchmark.provision(100).bound()).isEqualTo(100);
    }
}
