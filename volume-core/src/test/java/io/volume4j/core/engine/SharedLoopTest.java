package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that the threads for its calls run as well. */
@Timeout(180)
class SharedLoopTest {
    private static final long PATIENCE_SECONDS = 60;

    /** Whether time stands still: then the loop's own thread never comes by itself. */
    private volatile boolean stopped;

    private final long start = System.nanoTime();
    private final ThreadEventLoop loop = ThreadEventLoop.start(
            new DaemonThreads("shared-loop-test-"), () -> stopped ? start : System.nanoTime(), InstantSource.system());
    private final CallThreads threads = loop.callThreads(new DaemonThreads("shared-call-test-"));

    /** Perhaps no further call is ever asked for, and what was asked for would never be answered. */
    @Test
    void makesTheOnlyCallForWhichThereWasNoThread() throws Exception {
        AtomicBoolean refused = new AtomicBoolean();
        ThreadEventLoop scarce =
                ThreadEventLoop.start(new DaemonThreads("loop-test-"), System::nanoTime, InstantSource.system());
        CallThreads few = scarce.callThreads(task -> {
            if (!refused.getAndSet(true)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new DaemonThreads("call-test-").newThread(task);
        });
        CountDownLatch made = new CountDownLatch(1);
        few.execute(made::countDown);

        assertThat(made.await(60, TimeUnit.SECONDS)).isTrue();
        scarce.close();
        few.close();
    }

    @AfterEach
    void close() {
        loop.close();
        threads.close();
    }

    @Test
    void theThreadOfACallRunsTheCallsOwnTasksWhenItHasEnded() throws Exception {
        stopped = true;
        CompletableFuture<List<String>> seen = new CompletableFuture<>();
        List<String> order = new ArrayList<>();
        threads.execute(() -> {
            Thread caller = Thread.currentThread();
            loop.execute(() -> order.add("first task, same thread " + (Thread.currentThread() == caller)));
            loop.execute(() -> {
                order.add("second task, in loop " + loop.inLoop());
                seen.complete(order);
            });
            order.add("call");
        });

        assertThat(seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .containsExactly("call", "first task, same thread true", "second task, in loop true");
    }

    @Test
    void aTaskOfACallThatGoesOnIsRunByAnotherThread() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        threads.execute(() -> {
            loop.execute(ran::countDown);
            awaitQuietly(ran);
            ended.countDown();
        });

        assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void callsThatNeverReturnDoNotHoldTheLoop() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < 10; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            loop.execute(() -> threads.execute(() -> {
                begun.countDown();
                awaitQuietly(end);
            }));
            assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Boolean> alive = new CompletableFuture<>();
            loop.execute(() -> alive.complete(loop.inLoop()));

            assertThat(alive.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        end.countDown();
    }

    /** One after the other, so that each finds all threads asleep or falling asleep. */
    @Test
    void missesNothingWhileThreadsFallAsleep() throws InterruptedException {
        for (int i = 0; i < 20_000; i++) {
            CountDownLatch done = new CountDownLatch(1);
            loop.execute(() -> threads.execute(() -> loop.execute(done::countDown)));
            assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("round %d", i)
                    .isTrue();
        }
    }

    /** What the tasks change is not volatile: each thread that runs the loop sees what the one before did. */
    @Test
    void manyThreadsRunItOneAtATime() throws Exception {
        int posters = 4;
        int each = 5_000;
        int[] state = {0};
        AtomicBoolean within = new AtomicBoolean();
        AtomicBoolean together = new AtomicBoolean();
        CountDownLatch ran = new CountDownLatch(2 * posters * each);
        Runnable task = () -> {
            together.compareAndSet(false, within.getAndSet(true) || !loop.inLoop());
            state[0]++;
            within.set(false);
            ran.countDown();
        };
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < posters; t++) {
            Thread poster = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    loop.execute(task);
                    threads.execute(() -> loop.execute(task));
                }
            });
            poster.start();
            all.add(poster);
        }
        for (Thread poster : all) {
            poster.join();
        }
        assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Integer> counted = new CompletableFuture<>();
        loop.execute(() -> counted.complete(state[0]));

        assertThat(counted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(2 * posters * each);
        assertThat(together).isFalse();
    }

    @Test
    void timersGoOffWhicheverThreadSetThem() throws InterruptedException {
        CountDownLatch wentOff = new CountDownLatch(3);
        loop.schedule(Duration.ofMillis(3), wentOff::countDown);
        loop.execute(() -> loop.schedule(Duration.ofMillis(2), wentOff::countDown));
        threads.execute(() -> loop.schedule(Duration.ofMillis(1), wentOff::countDown));

        assertThat(wentOff.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void goesOnAfterItsThreadsHaveEnded() throws Exception {
        threads.close();
        CompletableFuture<Boolean> alive = new CompletableFuture<>();
        loop.execute(() -> alive.complete(true));

        assertThat(alive.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closesWhileACallGoesOnAndRunsNoneOfItsTasks() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean ran = new AtomicBoolean();
        threads.execute(() -> {
            begun.countDown();
            awaitQuietly(end);
            loop.execute(() -> ran.set(true));
            ended.countDown();
        });
        assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        loop.close();
        end.countDown();

        assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isFalse();
    }

    /** Whichever thread runs it; the call that was asked for before is made all the same. */
    @Test
    void canBeClosedByATaskOfItsOwn() throws InterruptedException {
        CountDownLatch made = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        threads.execute(() -> loop.execute(() -> {
            threads.execute(made::countDown);
            loop.close();
            closed.countDown();
        }));
        assertThat(closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        loop.close();

        assertThat(made.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** The task runs on the thread of the call before, which makes the next one too. */
    @Test
    void anInterruptThatATaskLeavesReachesNeitherTasksNorCalls() throws Exception {
        stopped = true;
        CompletableFuture<Boolean> task = new CompletableFuture<>();
        CompletableFuture<Boolean> call = new CompletableFuture<>();
        threads.execute(() -> {
            loop.execute(() -> {
                threads.execute(() -> call.complete(Thread.currentThread().isInterrupted()));
                Thread.currentThread().interrupt();
            });
            loop.execute(() -> task.complete(Thread.currentThread().isInterrupted()));
        });

        assertThat(task.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isFalse();
        assertThat(call.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void whoClosesItsThreadsIsNotInterruptedAsOneOfThem() throws Exception {
        CompletableFuture<Boolean> task = new CompletableFuture<>();
        threads.execute(() -> loop.execute(() -> {
            threads.close();
            task.complete(Thread.currentThread().isInterrupted());
        }));

        assertThat(task.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void hasItsThreadsMadeOnce() {
        assertThatThrownBy(() -> loop.callThreads(new DaemonThreads("more-")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has threads for its calls");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
