package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rate that the user of an adapter gives it. */
@Timeout(60)
class RequestRateTest extends HttpClusterBench {
    @Test
    void noMoreRequestsAreSentThanTheUserAllows() {
        server.answer(200, Answers.CLAIM);
        try (HttpCluster slow = HttpCluster.of(Access.to(server.uri()), new RequestRate(0.001, 1))) {
            assertThat(slow.readLive(C)).isPresent();

            assertThat(refusal(() -> slow.readLive(C)))
                    .hasMessageContaining("not sent")
                    .extracting("reason")
                    .isEqualTo(Reason.UNAVAILABLE);
        }
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void aFastServerIsNotHeldBackIfTheUserAllowsMore() {
        try (HttpCluster fast = HttpCluster.of(Access.to(server.uri()), new RequestRate(1e6, 1))) {
            long began = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                server.answer(200, Answers.CLAIM);
                assertThat(fast.readLive(C)).isPresent();
            }
            assertThat(System.nanoTime() - began)
                    .as("49 of 50 would wait for a second each")
                    .isLessThan(45_000_000_000L);
        }
    }
}
