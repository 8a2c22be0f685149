package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is asked of a controller that is being closed, or was: it is answered or refused, and closing again is nothing. */
@Timeout(120)
class ClosingControllersTest {
    // A second close that waited for it would end in the test's timeout.
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "unknown");

    private final CountDownLatch asked = new CountDownLatch(1);
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final PluginRegistry plugins = PluginRegistry.builder(
                    InMemoryPluginHost.named("").build())
            .plugins(List.of(InMemoryPlugin.on(InMemoryStorage.create())))
            .build();

    @Test
    void ofClaims() {
        PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .closeTimeout(LONG)
                .build();
        controller.start();
        CompletableFuture<?> waiting = controller.whenBound(CLAIM);

        assertThat(controller.closeReportingLeft()).isEmpty();
        assertThat(controller.closeReportingLeft()).isEmpty();

        assertThat(waiting).isCompletedExceptionally();
        assertRefused(controller.whenBound(CLAIM));
        assertRefused(controller.explain(CLAIM));
        assertRefused(controller.plan());
    }

    @Test
    void ofAttachments() {
        AttachDetachController controller = AttachDetachController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .closeTimeout(LONG)
                .build();
        controller.start();

        assertThat(controller.closeReportingLeft()).isEmpty();
        assertThat(controller.closeReportingLeft()).isEmpty();

        assertRefused(controller.explain(ObjectKey.node("n1")));
        assertRefused(controller.plan());
    }

    /** A lease that is asked on the controller's loop, and that answers when it may. */
    private LeaderEpoch answering(CountDownLatch when) {
        return new LeaderEpoch() {
            @Override
            public long epoch() {
                return 1;
            }

            @Override
            public Duration remaining() {
                asked.countDown();
                awaitUninterruptibly(when);
                return Duration.ofDays(300);
            }
        };
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException interrupted) {
                // The close interrupts the loop's thread: without this the wait would end, or not, by chance.
            }
        }
    }

    private void awaitNoWatches() {
        while (!cluster.watches().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void onItsOwnLoop() throws Exception {
        CountDownLatch lease = new CountDownLatch(1);
        PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .leader(answering(lease))
                .closeTimeout(LONG)
                .build();
        controller.start();
        CompletableFuture<List<String>> left =
                controller.explain(CLAIM).thenApply(explanation -> controller.closeReportingLeft());
        lease.countDown();

        assertThat(left.get(1, TimeUnit.MINUTES)).isEmpty();
        assertRefused(controller.plan());
        awaitNoWatches();
    }

    @Test
    void whoseLoopHangsInTheHost() {
        CountDownLatch lease = new CountDownLatch(1);
        PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .leader(answering(lease))
                .closeTimeout(Duration.ofMillis(50))
                .build();
        controller.start();
        awaitUninterruptibly(asked);

        assertThat(controller.closeReportingLeft()).containsExactly("the event loop");
        assertRefused(controller.plan());

        lease.countDown();
        awaitNoWatches();
    }

    @Test
    void whoseThreadsTheHostHasEndedBefore() {
        ExecutorService workers = Executors.newCachedThreadPool();
        PersistentVolumeController controller = started(workers);
        CompletableFuture<?> waiting = controller.whenBound(CLAIM);
        controller.explain(CLAIM).join();
        workers.shutdown();

        assertThat(controller.closeReportingLeft()).isEmpty();

        assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(VolumeException.class);
        awaitNoWatches();
    }

    private PersistentVolumeController started(ExecutorService workers) {
        PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .workers(workers)
                .closeTimeout(LONG)
                .build();
        controller.start();
        return controller;
    }

    /** An operator's request may come late, and a controller that was closed must change nothing. */
    @Test
    void whoseWorkersTheHostKeeps() {
        ExecutorService workers = Executors.newCachedThreadPool();
        try {
            PersistentVolumeController controller = started(workers);
            assertThat(controller.closeReportingLeft()).isEmpty();

            assertRefused(controller.release("pv"));
            assertRefused(controller.rebind("pv", CLAIM));
            assertRefused(controller.repairLost(CLAIM));
            assertRefused(controller.orphans());
            assertRefused(controller.adopt(new OrphanedStorage("mem", "handle", 0), ReclaimPolicy.RETAIN));
        } finally {
            workers.shutdown();
        }
    }

    private static void assertRefused(CompletableFuture<?> answer) {
        assertThatThrownBy(answer::join)
                .hasRootCauseInstanceOf(VolumeException.class)
                .hasMessageContaining("closed");
    }
}
