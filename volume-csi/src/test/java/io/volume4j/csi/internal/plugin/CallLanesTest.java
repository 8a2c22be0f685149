package io.volume4j.csi.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallLanesTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final TestContext context = TestContext.patient();

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void neverLetsTwoCallsForOneVolumeOverlap() {
        CallLanes lanes = new CallLanes(100);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<Void>> calls = java.util.stream.IntStream.range(0, 200)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> lanes.one("v", context, () -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            return inside.decrementAndGet();
                        }),
                        threads))
                .toList();
        calls.forEach(CompletableFuture::join);
        assertThat(most).hasValue(1);
        assertThat(lanes.size()).isZero();
    }

    @Test
    void callsForOtherVolumesGoOnMeanwhile() throws InterruptedException {
        CallLanes lanes = new CallLanes(100);
        CountDownLatch both = new CountDownLatch(2);
        for (String volume : List.of("a", "b")) {
            threads.execute(() -> lanes.one(volume, context, () -> meet(both)));
        }
        assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aDriverThatTakesOneCallAtATimeGetsOne() {
        CallLanes lanes = new CallLanes(1);
        lanes.one("a", context, () -> {
            assertThatThrownBy(() -> lanes.one("b", TestContext.within(Duration.ofMillis(-1)), () -> "sent"))
                    .isInstanceOf(VolumeException.class)
                    .hasMessageContaining("no more than 1 calls at once");
            return "a";
        });
        assertThat(lanes.<String>one("b", context, () -> "sent")).isEqualTo("sent");
    }

    @Test
    void aNodeThatTakesOneCallAtATimeGetsOneWhileOthersGoOn() {
        CallLanes lanes = new CallLanes(100, 1);
        lanes.one("a", "n1", context, () -> {
            assertThatThrownBy(() -> lanes.one("b", "n1", TestContext.within(Duration.ofMillis(-1)), () -> "sent"))
                    .isInstanceOf(VolumeException.class)
                    .hasMessageContaining("no more than 1 calls for one node at once");
            assertThat(lanes.<String>one("b", "n2", TestContext.within(Duration.ofMillis(-1)), () -> "sent"))
                    .isEqualTo("sent");
            assertThat(lanes.<String>one("n1", TestContext.within(Duration.ofMillis(-1)), () -> "sent"))
                    .as("a volume of the node's name")
                    .isEqualTo("sent");
            return "a";
        });
        assertThat(lanes.<String>one("b", "n1", context, () -> "sent")).isEqualTo("sent");
        assertThat(lanes.size()).isZero();
    }

    @Test
    void aCallThatIsNotWantedAnyMoreStopsWaiting() throws Exception {
        CallLanes lanes = new CallLanes(100);
        CountDownLatch holding = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        threads.execute(() -> lanes.one("v", context, () -> {
            holding.countDown();
            return await(release);
        }));
        assertThat(holding.await(30, TimeUnit.SECONDS)).isTrue();
        TestContext waiting = TestContext.patient();
        CompletableFuture<String> second =
                CompletableFuture.supplyAsync(() -> lanes.one("v", waiting, () -> "sent"), threads);
        waiting.cancel();
        assertThatThrownBy(() -> second.get(30, TimeUnit.SECONDS)).hasMessageContaining("not sent");
        release.countDown();
        assertThat(lanes.<String>one("v", context, () -> "sent")).isEqualTo("sent");
    }

    @Test
    void callsForSeveralVolumesDoNotWaitForEachOtherInACircle() {
        CallLanes lanes = new CallLanes(100);
        List<CompletableFuture<String>> calls = java.util.stream.IntStream.range(0, 100)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> lanes.alone(
                                new TreeSet<>(i % 2 == 0 ? List.of("a", "b") : List.of("b", "a")),
                                context,
                                () -> "sent"),
                        threads))
                .toList();
        assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo("sent"));
    }

    private static boolean meet(CountDownLatch latch) {
        latch.countDown();
        return await(latch);
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
