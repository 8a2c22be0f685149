package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CachedListsTest {
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final Counted counted = new Counted(cluster);
    private final CachedLists cached = new CachedLists(counted);

    private static ApiObject node(String name) {
        return Manifests.read("test", "{apiVersion: v1, kind: Node, metadata: {name: " + name + "}}")
                .get(0);
    }

    private List<String> names() {
        return cached.list(Kind.NODE, Selection.all()).objects().stream()
                .map(object -> object.metadata().name())
                .toList();
    }

    @Test
    void theServerIsAskedOnceHoweverManyVolumesAreMade() {
        cluster.create(node("a"));
        for (int i = 0; i < 1000; i++) {
            assertThat(names()).containsExactly("a");
        }
        assertThat(counted.lists).isEqualTo(1);
    }

    @Test
    void whatTheWatchTellsIsInTheNextAnswer() {
        assertThat(names()).isEmpty();
        cluster.create(node("a"));
        cluster.create(node("b"));
        assertThat(names()).containsExactly("a", "b");
        cluster.delete(ObjectKey.node("a"), Preconditions.none());
        assertThat(names()).containsExactly("b");
        assertThat(cached.list(Kind.NODE, Selection.all()).revision()).isEqualTo(cluster.revision());
        assertThat(counted.lists).isEqualTo(1);
    }

    @Test
    void afterTheWatchHasExpiredTheServerIsAskedAgain() {
        assertThat(names()).isEmpty();
        cluster.watches().forEach(watch -> watch.expire());
        cluster.create(node("a"));
        assertThat(names()).containsExactly("a");
        assertThat(counted.lists).isEqualTo(2);
    }

    @Test
    void aSelectionAndASingleObjectAreAskedForEachTime() {
        cluster.create(node("a"));
        assertThat(cached.list(Kind.NODE, Selection.ofNode("a")).objects()).hasSize(1);
        assertThat(cached.list(Kind.NODE, Selection.ofNode("a")).objects()).hasSize(1);
        assertThat(cached.readLive(ObjectKey.node("a"))).isPresent();
        assertThat(counted.lists).isEqualTo(2);
    }

    @Test
    void closingEndsTheWatches() {
        assertThat(names()).isEmpty();
        cached.close();
        assertThat(cluster.watches()).isEmpty();
    }

    /** A server that answers a list, and then nothing. */
    @Test
    @Timeout(60)
    void whileAWatchIsBeingOpenedOtherKindsAreListedAndClosingDoesNotWait() throws Exception {
        cluster.create(node("a"));
        counted.opening = new CountDownLatch(1);
        counted.mayOpen = new CountDownLatch(1);
        FutureTask<List<String>> nodes = begun(this::names);
        try {
            counted.opening.await();

            assertThat(begun(() -> cached.list(Kind.PERSISTENT_VOLUME, Selection.all())
                                    .objects())
                            .get(20, TimeUnit.SECONDS))
                    .isEmpty();
            begun(() -> {
                        cached.close();
                        return "closed";
                    })
                    .get(20, TimeUnit.SECONDS);
            assertThat(nodes).isNotDone();
        } finally {
            counted.mayOpen.countDown();
        }

        assertThat(nodes.get()).containsExactly("a");
        assertThat(cluster.watches())
                .as("the watch ended as soon as it was open")
                .isEmpty();
    }

    @Test
    void afterTheCloseTheServerIsAskedEachTimeAndNoWatchIsLeft() {
        cached.close();

        assertThat(names()).isEmpty();
        cluster.create(node("a"));
        assertThat(names()).containsExactly("a");
        assertThat(cluster.watches()).isEmpty();
    }

    private static <T> FutureTask<T> begun(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "lists");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static final class Counted implements ClusterSource {
        private final ClusterSource cluster;
        private int lists;
        private CountDownLatch opening = new CountDownLatch(0);
        private CountDownLatch mayOpen = new CountDownLatch(0);

        Counted(ClusterSource cluster) {
            this.cluster = cluster;
        }

        @Override
        public Listing list(Kind kind, Selection selection) {
            lists++;
            return cluster.list(kind, selection);
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            if (kind == Kind.NODE) {
                opening.countDown();
                awaitTurn();
            }
            return cluster.watch(kind, selection, revision, listener);
        }

        private void awaitTurn() {
            try {
                mayOpen.await();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return cluster.readLive(key);
        }
    }
}
