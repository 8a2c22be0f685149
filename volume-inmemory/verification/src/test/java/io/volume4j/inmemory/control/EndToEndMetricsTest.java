package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.ClaimPhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long people wait for a volume, and for its end, failed tries included. */
class EndToEndMetricsTest {
    private static final String PROVISION = "volume_operation_total_seconds{operation_name=provision,plugin_name=mem}";
    private static final String DELETE = "volume_operation_total_seconds{operation_name=delete,plugin_name=mem}";

    private final ControlBench bench = new ControlBench();

    private void claimOfClass() {
        bench.given(
                Classes.storageClass("fast", "mem"), claim("c").ofClass("fast").made());
    }

    @Test
    void countsFromTheFirstTryUntilTheClaimIsBound() {
        claimOfClass();
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT).times(3));
        bench.startAndSettle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.metrics.times(PROVISION))
                .singleElement()
                .satisfies(took ->
                        assertThat(took).as("three backoffs lie between").isGreaterThan(Duration.ofSeconds(1)));
    }

    @Test
    void countsFromTheFirstTryToDeleteUntilTheObjectIsGone() {
        claimOfClass();
        bench.startAndSettle();
        bench.plugin.faults().add(Fault.on("delete").as(FaultKind.TRANSIENT).times(3));
        bench.cluster.remove(GivenClaim.key("c"));
        bench.settle();

        assertThat(bench.volumes()).isEmpty();
        assertThat(bench.metrics.times(DELETE))
                .singleElement()
                .satisfies(took -> assertThat(took).isGreaterThan(Duration.ofSeconds(1)));
    }

    @Test
    void doesNotCountAClaimThatGoesBeforeItIsBoundAndCountsItsNamesakeAnew() {
        claimOfClass();
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT).times(3));
        bench.start().run();
        bench.cluster.remove(GivenClaim.key("c"));
        bench.settle();
        assertThat(bench.metrics.times(PROVISION)).isEmpty();

        bench.plugin.faults().heal();
        bench.given(claim("c").uid("uid-second").ofClass("fast").made()).settle();

        assertThat(bench.metrics.times(PROVISION)).containsExactly(Duration.ZERO);
    }
}
