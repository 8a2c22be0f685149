package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Many volumes deleted at once look at attachments and nodes together, and never at what was read too early. */
class MassDeletionTest {
    private final ControlBench bench = new ControlBench();

    private PersistentVolume released(String name) {
        bench.storage.add(name, 1 << 30);
        return volume(name)
                .boundTo("gone-" + name, "uid-gone-" + name)
                .byController()
                .policy(ReclaimPolicy.DELETE)
                .phase(VolumePhase.RELEASED)
                .made();
    }

    @Test
    void manyAtOnceCostAFewListings() {
        int few = listingsFor(3);
        assertThat(listingsFor(300)).isEqualTo(few).isLessThanOrEqualTo(3);
    }

    private static int listingsFor(int volumes) {
        MassDeletionTest other = new MassDeletionTest();
        for (int i = 0; i < volumes; i++) {
            other.bench.given(other.released("v-" + i));
        }
        // One listing of each kind begins the watch.
        other.bench.startAndSettle();
        assertThat(other.bench.volumes()).isEmpty();
        assertThat(other.bench.storage.volumes()).isEmpty();
        assertThat(other.bench.listings(Kind.NODE)).isEqualTo(other.bench.listings(Kind.VOLUME_ATTACHMENT));
        return other.bench.listings(Kind.VOLUME_ATTACHMENT) - 1;
    }

    @Test
    void whoAsksWhileAListingIsUnderWayIsServedByTheNextOne() {
        bench.startAndSettle();
        bench.given(released("early"));
        bench.duringListing(Kind.VOLUME_ATTACHMENT, () -> {
            bench.given(released("late"));
            bench.run();
            assertThat(bench.volume("late").metadata().annotations()).containsKey("volume4j.io/reclaim-intent");
            bench.hideFromWatches(Released.attachment("a", "late", "n1"));
        });
        bench.settle();

        assertThat(bench.has(ObjectKey.volume("early"))).isFalse();
        assertThat(bench.storage.volume("late")).as("it is attached").isPresent();
        assertThat(bench.told(ObjectKey.volume("late"))).contains("VolumeDelete");
    }

    /** In a cluster of thousands of nodes. */
    @Test
    void aListingThatTakesSecondsCountsFromItsEnd() {
        bench.startAndSettle();
        int before = bench.listings(Kind.VOLUME_ATTACHMENT);
        nextListingTakes(Duration.ofSeconds(8));
        bench.given(released("a")).run();

        assertThat(bench.storage.volumes()).isEmpty();
        assertThat(bench.listings(Kind.VOLUME_ATTACHMENT) - before).isEqualTo(1);
    }

    @Test
    void listingsTakeATenthOfTheTimeAndWaitForAMinuteAtMost() {
        bench.startAndSettle();
        nextListingTakes(Duration.ofSeconds(2));
        bench.given(released("first")).run();
        int before = bench.listings(Kind.VOLUME_ATTACHMENT);
        for (int i = 0; i < 17; i++) {
            bench.given(released("soon-" + i));
            bench.loop.advance(Duration.ofSeconds(1));
        }
        assertThat(bench.listings(Kind.VOLUME_ATTACHMENT) - before).isZero();
        assertThat(bench.explain(ObjectKey.volume("soon-0")).text())
                .contains("waiting for the next read of all attachments and nodes from the store");

        nextListingTakes(Duration.ofSeconds(60));
        bench.loop.advance(Duration.ofSeconds(1));
        assertThat(bench.listings(Kind.VOLUME_ATTACHMENT) - before)
                .as("for all that waited")
                .isEqualTo(1);
        assertThat(bench.storage.volumes()).isEmpty();

        bench.given(released("late"));
        bench.loop.advance(Duration.ofSeconds(59));
        assertThat(bench.storage.volume("late")).isPresent();
        bench.loop.advance(Duration.ofSeconds(1));
        assertThat(bench.storage.volumes()).isEmpty();
    }

    private void nextListingTakes(Duration time) {
        bench.duringListing(Kind.NODE, () -> bench.loop.pass(time));
    }

    @Test
    void eachNewTryLooksAgain() {
        bench.startAndSettle();
        int before = bench.listings(Kind.VOLUME_ATTACHMENT);
        bench.hideFromWatches(Released.attachment("a", "v", "n1"));
        bench.given(released("v")).settle();
        int tries = bench.listings(Kind.VOLUME_ATTACHMENT) - before;
        assertThat(tries).as("each try was refused by a listing of its own").isGreaterThan(1);

        bench.cluster.remove(Released.attachment("a", "v", "n1").key());
        bench.settle();

        assertThat(bench.has(ObjectKey.volume("v"))).isFalse();
        assertThat(bench.storage.volumes()).isEmpty();
    }
}
