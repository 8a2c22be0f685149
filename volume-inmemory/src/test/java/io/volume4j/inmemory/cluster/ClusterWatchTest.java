package io.volume4j.inmemory.cluster;

import static io.volume4j.inmemory.cluster.Objects.claim;
import static io.volume4j.inmemory.cluster.Objects.pod;
import static io.volume4j.inmemory.cluster.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ClusterWatchTest {
    private static final Kind CLAIM = Kind.PERSISTENT_VOLUME_CLAIM;

    private final ManualClock clock = new ManualClock();
    private final InMemoryCluster cluster =
            InMemoryCluster.builder().clock(clock).history(3).build();
    private final RecordingListener listener = new RecordingListener();

    @Test
    void tellsEveryChangeOfItsKindInOrder() {
        watchClaims("0");
        cluster.apply(claim("a"));
        cluster.apply(volume("not-a-claim"));
        cluster.apply(claim("b"));
        touch("a");
        cluster.remove(ObjectKey.claim("default", "a"));

        assertThat(listener.heard).containsExactly("CHANGED a", "CHANGED b", "CHANGED a", "DELETED a");
    }

    @Test
    void goesOnFromARevisionInThePast() {
        cluster.apply(claim("a"));
        String then = cluster.revision();
        cluster.apply(claim("b"));
        cluster.apply(claim("c"));

        watchClaims(then);
        cluster.apply(claim("d"));

        assertThat(listener.heard).containsExactly("CHANGED b", "CHANGED c", "CHANGED d");
    }

    @Test
    void aRevisionThatIsTooOldExpiresAndOneThatIsOldEnoughDoesNot() {
        for (String name : List.of("a", "b", "c", "d")) {
            cluster.apply(claim(name));
        }

        watchClaims("0");
        assertThat(listener.heard).containsExactly("EXPIRED");
        listener.heard.clear();

        watchClaims("1");
        assertThat(listener.heard).containsExactly("CHANGED b", "CHANGED c", "CHANGED d");
    }

    @Test
    void aRevisionOfTheFutureExpires() {
        watchClaims("7");
        assertThat(listener.heard).containsExactly("EXPIRED");
    }

    @Test
    void aTombstoneCarriesTheLastState() {
        watchClaims("0");
        cluster.apply(claim("a"));
        touch("a");
        cluster.remove(ObjectKey.claim("default", "a"));

        WatchEvent tombstone = listener.events.get(2);
        assertThat(tombstone.type()).isEqualTo(WatchEvent.Type.DELETED);
        assertThat(tombstone.revision()).isEqualTo("3");
        assertThat(((PersistentVolumeClaim) tombstone.requireObject()).spec().volumeName())
                .isEqualTo("v");
    }

    @Test
    void aPodThatLeavesTheSelectedNodeIsGoneForASelectionOfThatNode() {
        cluster.watch(Kind.POD, Selection.ofNode("n1"), "0", listener);
        cluster.apply(pod("p", "n1"));
        cluster.apply(pod("other", "n2"));
        cluster.apply(pod("p", "n2"));

        assertThat(listener.heard).containsExactly("CHANGED p", "DELETED p");
    }

    @Test
    void aListenerThatWritesHearsOfItsWriteAfterItHasReturned() {
        List<String> order = new ArrayList<>();
        cluster.watch(CLAIM, Selection.all(), "0", event -> {
            String name = event.requireObject().metadata().name();
            order.add("begin " + name);
            if (name.equals("a")) {
                cluster.apply(claim("b"));
            }
            order.add("end " + name);
        });

        cluster.apply(claim("a"));

        assertThat(order).containsExactly("begin a", "end a", "begin b", "end b");
    }

    @Test
    void aListenerThatThrowsHearsTheNextEventAllTheSame() {
        cluster.watch(CLAIM, Selection.all(), "0", event -> {
            listener.onEvent(event);
            if (event.requireObject().metadata().name().equals("a")) {
                throw new IllegalStateException("by test");
            }
        });
        assertThatIllegalStateException().isThrownBy(() -> cluster.apply(claim("a")));

        cluster.apply(claim("b"));

        assertThat(listener.heard).containsExactly("CHANGED a", "CHANGED b");
    }

    @Test
    void anExecutorDecidesWhenListenersRun() {
        Queue<Runnable> queue = new ArrayDeque<>();
        InMemoryCluster queued = InMemoryCluster.builder().executor(queue::add).build();
        queued.watch(CLAIM, Selection.all(), "0", listener);
        queued.apply(claim("a"));
        queued.apply(claim("b"));
        assertThat(listener.heard).isEmpty();
        assertThat(queue).as("one task at a time for each watch").hasSize(1);

        queue.remove().run();

        assertThat(listener.heard).containsExactly("CHANGED a", "CHANGED b");
    }

    @Test
    void aHeldWatchLetsThroughWhatItIsToldKeepingTheOrderOfEachObject() {
        ClusterWatch watch = (ClusterWatch) watchClaims("0");
        watch.hold();
        cluster.apply(claim("a"));
        touch("a");
        cluster.apply(claim("b"));
        assertThat(watch.pending()).hasSize(3);

        watch.deliver(2);
        assertThatIllegalArgumentException().isThrownBy(() -> watch.deliver(1)).withMessageContaining("same object");
        watch.release();
        cluster.apply(claim("c"));

        assertThat(listener.heard).containsExactly("CHANGED b", "CHANGED a", "CHANGED a", "CHANGED c");
    }

    @Test
    void aNewWatchStartsHeldWhereThatIsWanted() {
        cluster.apply(claim("a"));
        cluster.holdNewWatches(true);
        watchClaims("0");

        assertThat(listener.heard).isEmpty();
        assertThat(cluster.watches()).singleElement().satisfies(watch -> {
            assertThat(watch.kind()).isEqualTo(CLAIM);
            assertThat(watch.pending()).hasSize(1);
        });
    }

    @Test
    void aDelayedWatchTellsWhenTheTimeHasPassed() {
        ClusterWatch watch = (ClusterWatch) watchClaims("0");
        watch.delay(Duration.ofSeconds(2));
        cluster.apply(claim("a"));
        clock.advance(Duration.ofSeconds(1));
        assertThat(listener.heard).isEmpty();

        clock.advance(Duration.ofSeconds(1));

        assertThat(listener.heard).containsExactly("CHANGED a");
    }

    @Test
    void aShorterDelayLetsNoEventOvertakeAnEarlierOne() {
        ClusterWatch watch = (ClusterWatch) watchClaims("0");
        watch.delay(Duration.ofSeconds(10));
        cluster.apply(claim("a"));
        watch.delay(Duration.ofSeconds(1));
        cluster.apply(claim("b"));
        watch.delay(Duration.ZERO);
        touch("a");
        clock.advance(Duration.ofSeconds(9));
        assertThat(listener.heard).isEmpty();

        clock.advance(Duration.ofSeconds(1));
        assertThat(listener.heard).containsExactly("CHANGED a", "CHANGED b", "CHANGED a");

        cluster.apply(claim("c"));
        assertThat(listener.heard).as("without a delay").endsWith("CHANGED c");
    }

    @Test
    void aHeldWatchHoldsAlsoWhatWasDelayedBefore() {
        ClusterWatch watch = (ClusterWatch) watchClaims("0");
        watch.delay(Duration.ofSeconds(10));
        cluster.apply(claim("a"));
        watch.hold();
        cluster.apply(claim("b"));
        clock.advance(Duration.ofSeconds(10));
        assertThat(listener.heard).isEmpty();
        assertThat(watch.pending()).hasSize(2);

        watch.release();
        assertThat(listener.heard).containsExactly("CHANGED a", "CHANGED b");
    }

    @Test
    void aBrokenWatchLosesWhatWasDelayed() {
        ClusterWatch watch = (ClusterWatch) watchClaims("0");
        watch.delay(Duration.ofSeconds(10));
        cluster.apply(claim("a"));
        watch.expire();
        clock.advance(Duration.ofSeconds(10));

        assertThat(listener.heard).containsExactly("EXPIRED");
    }

    @Test
    void aBrokenWatchLosesWhatItHeldSaysSoAndIsSilentThen() {
        ClusterWatch watch = (ClusterWatch) watchClaims("0");
        watch.hold();
        cluster.apply(claim("a"));

        watch.expire();
        cluster.apply(claim("b"));

        assertThat(listener.heard).containsExactly("EXPIRED");
        assertThat(cluster.watches()).isEmpty();
    }

    @Test
    void anEventCanComeTwiceWhileItsObjectIsThere() {
        ObjectKey a = ObjectKey.claim("default", "a");
        ClusterWatch watch = (ClusterWatch) watchClaims("0");
        cluster.apply(claim("a"));

        assertThat(watch.repeat(a)).isTrue();
        cluster.remove(a);
        assertThat(watch.repeat(a)).isFalse();

        assertThat(listener.heard).containsExactly("CHANGED a", "CHANGED a", "DELETED a");
    }

    @Test
    void aClosedWatchIsSilent() {
        Watch watch = watchClaims("0");
        watch.close();
        watch.close();
        cluster.apply(claim("a"));

        assertThat(listener.heard).isEmpty();
        assertThat(cluster.watches()).isEmpty();
    }

    @Test
    void compactionExpiresWatchesOfThePastOnly() {
        watchClaims("0");
        cluster.apply(claim("a"));
        cluster.compact();
        cluster.apply(claim("b"));
        RecordingListener late = new RecordingListener();
        cluster.watch(CLAIM, Selection.all(), "0", late);

        assertThat(listener.heard).containsExactly("CHANGED a", "CHANGED b");
        assertThat(late.heard).containsExactly("EXPIRED");
    }

    @Test
    void aBookmarkTellsHowFarThingsAre() {
        watchClaims("0");
        cluster.apply(volume("v"));
        cluster.bookmark();

        assertThat(listener.events).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo(WatchEvent.Type.BOOKMARK);
            assertThat(event.revision()).isEqualTo("1");
        });
    }

    private Watch watchClaims(String revision) {
        return cluster.watch(CLAIM, Selection.all(), revision, listener);
    }

    private void touch(String name) {
        cluster.patch(
                ObjectKey.claim("default", name),
                new Patch(Preconditions.none(), false, List.of(FieldChange.set("v", "spec", "volumeName"))));
    }
}
