package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pod that waits for its volumes gets events, although no step fails. */
class WaitingPodsTest {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void aPodWithoutItsClaimGetsAnEventAfterTwoIntervalsFourEight() {
        node.pod("a", "data");
        node.watchVolumes(INTERVAL).start();

        assertThat(minutesUntilAnEvent(16)).containsExactly(2, 4, 8, 16);
        assertThat(told())
                .allSatisfy(text -> assertThat(text)
                        .startsWith("Unable to attach or mount volumes: ")
                        .contains("claim default/data does not exist"));
    }

    @Test
    void aPodWhoseVolumeTheNodeRefusesGetsTheEventToo() {
        CsiSource inline = CsiSource.of("unknown.test", "", "", Map.of());
        node.cluster.apply(node.pod("a", List.of(new PodVolume("scratch", inline)), Pod.SecurityContext.none()));
        node.watchVolumes(INTERVAL).start();

        assertThat(minutesUntilAnEvent(2)).containsExactly(2);
        assertThat(told()).hasSize(1).allSatisfy(text -> assertThat(text).contains("scratch"));
    }

    @Test
    void aPodThatGetsItsVolumesGetsNoMore() {
        node.pod("a", "data");
        node.watchVolumes(INTERVAL).start();
        node.world.advance(INTERVAL.multipliedBy(3));
        node.boundClaim("data");

        assertThat(minutesUntilAnEvent(10)).isEmpty();
        assertThat(told()).hasSize(1);
    }

    @Test
    void aPodThatIsGoneGetsNone() {
        node.pod("a", "data");
        node.watchVolumes(INTERVAL).start();
        node.world.advance(INTERVAL);
        node.deletePod("a");

        assertThat(minutesUntilAnEvent(10)).isEmpty();
    }

    @Test
    void aPodThatIsBeingDeletedGetsNone() {
        Pod pod = node.pod(
                "a", List.of(new PodVolume("data", new ClaimSource("data", false))), Pod.SecurityContext.none());
        node.cluster.apply(new Pod(
                pod.metadata().withFinalizers(List.of("test/keeps")), pod.spec(), pod.status(), pod.unmodeled()));
        node.watchVolumes(INTERVAL).start();
        node.world.advance(INTERVAL);
        node.deletePod("a");

        assertThat(minutesUntilAnEvent(10)).isEmpty();
        assertThat(node.cluster.get(ObjectKey.pod("default", "a"))).isPresent();
    }

    @Test
    void aNodeThatDoesNotWatchWritesNone() {
        node.pod("a", "data");
        node.start().settle();

        assertThat(minutesUntilAnEvent(10)).isEmpty();
    }

    private List<Integer> minutesUntilAnEvent(int minutes) {
        return IntStream.rangeClosed(1, minutes)
                .filter(minute -> {
                    int before = told().size();
                    node.world.advance(INTERVAL);
                    return told().size() > before;
                })
                .boxed()
                .toList();
    }

    private List<String> told() {
        return node.events.about(ObjectKey.pod("default", "a")).stream()
                .filter(event -> event.reason().equals("FailedMount"))
                .map(Event::message)
                .toList();
    }
}
