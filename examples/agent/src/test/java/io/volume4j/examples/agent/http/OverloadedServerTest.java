package io.volume4j.examples.agent.http;

import static io.volume4j.examples.agent.http.Answers.CLAIM;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that a server puts off because it has too many. */
@Timeout(60)
class OverloadedServerTest extends HttpClusterBench {
    private static final Patch PATCH =
            new Patch(Preconditions.none(), false, List.of(Patch.FieldChange.set("x", "spec", "volumeName")));

    @Test
    void aRequestThatWasPutOffIsSentAgainAfterThePause() {
        server.putOff(429, 1);
        server.putOff(429, 1);
        server.answer(200, CLAIM);
        long began = System.nanoTime();

        assertThat(cluster.patch(C, PATCH).metadata().name()).isEqualTo("c");

        assertThat(server.requests).hasSize(3).containsOnly(server.requests.get(0));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
    }

    @Test
    void anUnavailableServerIsReadFromAgainAndNotWrittenToAgain() {
        server.putOff(503, 1);
        server.answer(200, CLAIM);
        assertThat(cluster.readLive(C)).isPresent();
        assertThat(server.requests).hasSize(2);

        server.putOff(503, 1);
        assertThat(refusal(() -> cluster.patch(C, PATCH)).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(3);
    }

    @Test
    void theRenewalOfALeaseHearsOfItAtOnce() {
        server.putOff(429, 1);
        Patch renewal =
                new Patch(Preconditions.none(), false, List.of(Patch.FieldChange.set("me", "spec", "holderIdentity")));
        assertThat(refusal(() -> cluster.patch(ObjectKey.lease("ns", "l"), renewal))
                        .reason())
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(1);
    }

    /** A leader reads its Lease after a renewal that failed. */
    @Test
    void theReadOfALeaseHearsOfItAtOnceToo() {
        server.putOff(429, 1);
        assertThat(refusal(() -> cluster.readLive(ObjectKey.lease("ns", "l"))).reason())
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void aPauseThatIsLongerThanTheRequestMayTakeEndsIt() {
        server.putOff(429, 3600);
        assertThat(refusal(() -> cluster.readLive(C)).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(1);
    }
}
