package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a driver says of its node reaches the cluster, whatever fails on the way. */
class NodeAnnouncerTest {
    private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());

    /** Whether what is to be done later is done later; otherwise it is done at once. */
    private boolean inTime;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            pauses.add(Duration.of(delay, unit.toChronoUnit()));
            return super.schedule(task, inTime ? delay : 0, unit);
        }
    };

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    @Test
    void triesAgainAfterARefusalAndAfterAnErrorOfTheMachine() throws InterruptedException {
        Queue<Throwable> failures = new ArrayDeque<>(List.of(
                new ClusterException(Reason.UNAVAILABLE, "no route"),
                new OutOfMemoryError("unable to create native thread")));
        CountDownLatch written = new CountDownLatch(1);
        NodeAnnouncer announcer = new NodeAnnouncer(
                new Writer(patch -> {
                    Throwable failure = failures.poll();
                    if (failure instanceof Error error) {
                        throw error;
                    }
                    if (failure instanceof RuntimeException refused) {
                        throw refused;
                    }
                    written.countDown();
                }),
                null,
                executor,
                new Pauses(new SplittableRandom(1)));

        announcer.nodeChanged("d.example.com", new CsiNode("n1", "id-of-n1", Map.of(), 0));

        assertThat(written.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(pauses).hasSize(3);
        assertThat(pauses.get(1)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1_200));
        assertThat(pauses.get(2)).isBetween(Duration.ofMillis(1_600), Duration.ofMillis(2_400));
    }

    @Test
    void aDriverWhoseReportIsRefusedForEverDoesNotKeepBackTheOthers() throws InterruptedException {
        inTime = true;
        CountDownLatch written = new CountDownLatch(1);
        NodeAnnouncer announcer = new NodeAnnouncer(
                new Writer(patch -> {
                    if (patch.toString().contains("bad.example.com")) {
                        throw new ClusterException(Reason.INVALID, "not a label");
                    }
                    written.countDown();
                }),
                null,
                executor,
                new Pauses(new SplittableRandom(1)));

        announcer.nodeChanged("bad.example.com", new CsiNode("n1", "b", Map.of("zone", "not a label"), 0));
        announcer.nodeChanged("good.example.com", new CsiNode("n1", "g", Map.of(), 0));

        assertThat(written.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void howeverOftenADriverReportsItOneAttemptIsDue() throws Exception {
        inTime = true;
        executor.setRemoveOnCancelPolicy(true);
        NodeAnnouncer announcer = new NodeAnnouncer(
                new Writer(patch -> {
                    throw new ClusterException(Reason.INVALID, "not a label");
                }),
                null,
                executor,
                new Pauses(new SplittableRandom(1)));

        for (int limit = 1; limit <= 5; limit++) {
            announcer.nodeChanged("d.example.com", new CsiNode("n1", "id", Map.of(), limit));
        }
        executor.submit(() -> {}).get(20, TimeUnit.SECONDS);
        assertThat(executor.getQueue()).hasSize(1);

        announcer.unregistered("d.example.com");
        announcer.nodeChanged("e.example.com", new CsiNode("n1", "id", Map.of(), 1));
        executor.submit(() -> {}).get(20, TimeUnit.SECONDS);
        assertThat(executor.getQueue()).hasSize(1);
    }

    private record Writer(Consumer<Patch> patched) implements ClusterWriter {
        @Override
        public ApiObject create(ApiObject object) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            patched.accept(patch);
            return new Node(
                    ObjectMeta.named("", key.name()),
                    new Node.Spec(List.of()),
                    new Node.Status(true, List.of(), List.of(), Map.of()),
                    Unmodeled.none());
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            throw new UnsupportedOperationException();
        }
    }
}
