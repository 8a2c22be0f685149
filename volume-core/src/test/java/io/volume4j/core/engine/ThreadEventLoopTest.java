package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ThreadEventLoopTest {
    /** Stands still while a test wants that: a machine that stalls between two timers must not change their order. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private volatile boolean stopped;

    private final long start = System.nanoTime();
    private final ThreadEventLoop loop = ThreadEventLoop.start(
            task -> {
                Thread thread = new Thread(task, "loop-test");
                thread.setDaemon(true);
                return thread;
            },
            () -> stopped ? start : System.nanoTime(),
            InstantSource.system());

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void runsTasksOfOneThreadInTheirOrder() throws Exception {
        List<Integer> seen = new ArrayList<>();
        CompletableFuture<List<Integer>> all = new CompletableFuture<>();
        for (int i = 0; i < 10_000; i++) {
            int number = i;
            loop.execute(() -> seen.add(number));
        }
        loop.execute(() -> all.complete(new ArrayList<>(seen)));

        assertThat(all.get()).hasSize(10_000).isSorted();
    }

    @Test
    void isNotStartedWithoutAThreadAndSaysWhatToDo() {
        assertThatThrownBy(() -> ThreadEventLoop.start(
                        task -> {
                            throw new OutOfMemoryError("unable to create native thread");
                        },
                        System::nanoTime,
                        InstantSource.system()))
                .isInstanceOfSatisfying(VolumeException.class, e -> {
                    assertThat(e.kind()).isEqualTo(FailureKind.TRANSIENT);
                    assertThat(e.advice()).contains("pids.max");
                });
    }

    /** The journal's thread: what comes first must not be what finds out that there is none. */
    @Test
    void anExecutorOfOneThreadHasItBeforeItsFirstTaskOrIsNotStarted() throws Exception {
        AtomicInteger made = new AtomicInteger();
        ExecutorService one = OneThread.start(task -> {
            made.incrementAndGet();
            return new Thread(task, "one-thread-test");
        });
        assertThat(made).hasValue(1);
        assertThat(one.submit(() -> "ran").get()).isEqualTo("ran");
        one.shutdown();
        assertThat(one.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        assertThatThrownBy(() -> OneThread.start(task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                }))
                .isInstanceOf(VolumeException.class);
    }

    @Test
    void doesWhatWasPutOffOnceForHoweverOftenItWasAskedFor() throws Exception {
        AtomicInteger done = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        Runnable action = () -> {
            done.incrementAndGet();
            first.countDown();
        };
        loop.execute(() -> {
            loop.soon(action);
            loop.soon(action);
            loop.soon(action);
        });
        assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Integer> later = new CompletableFuture<>();
        loop.execute(() -> loop.soon(() -> later.complete(done.get())));

        assertThat(later.get()).isEqualTo(1);
    }

    @Test
    void doesWhatWasPutOffAlsoWhileThereAreAlwaysTasks() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Runnable endless = new Runnable() {
            @Override
            public void run() {
                if (done.getCount() == 0) {
                    end.complete(null);
                } else {
                    loop.execute(this);
                }
            }
        };
        loop.execute(() -> {
            loop.soon(done::countDown);
            endless.run();
        });

        end.get();
    }

    @Test
    void doesAtOnceWhatAnotherThreadWantsSoon() {
        AtomicInteger done = new AtomicInteger();
        loop.soon(done::incrementAndGet);

        assertThat(done).hasValue(1);
    }

    @Test
    void doesWhatWasPutOffBeforeItEnds() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            loop.soon(done::countDown);
            loop.close();
        });

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void losesNoTaskWhenManyThreadsPostWhileItFallsAsleep() throws Exception {
        int threads = 4;
        int each = 5_000;
        CountDownLatch ran = new CountDownLatch(threads * each);
        List<Thread> posters = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread poster = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    loop.execute(ran::countDown);
                }
            });
            poster.start();
            posters.add(poster);
        }
        for (Thread poster : posters) {
            poster.join();
        }

        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void runsTimersInTheirOrderAndNeverACancelledOne() throws Exception {
        List<String> seen = new ArrayList<>();
        CompletableFuture<List<String>> done = new CompletableFuture<>();
        loop.execute(() -> {
            stopped = true;
            loop.schedule(Duration.ofMillis(30), () -> done.complete(new ArrayList<>(seen)));
            loop.schedule(Duration.ofMillis(20), () -> seen.add("second"));
            loop.schedule(Duration.ofMillis(10), () -> seen.add("first"));
            loop.schedule(Duration.ofMillis(15), () -> seen.add("cancelled")).cancel();
            stopped = false;
        });

        assertThat(done.get()).containsExactly("first", "second");
    }

    @Test
    void runsTasksBetweenTheRunsOfATimerThatIsAlwaysDue() throws Exception {
        CountDownLatch between = new CountDownLatch(1);
        loop.schedule(Duration.ZERO, new Runnable() {
            @Override
            public void run() {
                loop.execute(between::countDown);
                loop.schedule(Duration.ofNanos(1), this);
            }
        });

        assertThat(between.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void goesOnAfterATaskThatFails() throws Exception {
        CompletableFuture<Boolean> alive = new CompletableFuture<>();
        loop.execute(() -> {
            throw new IllegalStateException("a bug, on purpose");
        });
        loop.execute(() -> alive.complete(loop.inLoop()));

        assertThat(alive.get()).isTrue();
        assertThat(loop.inLoop()).isFalse();
    }

    @Test
    void endsWithALastTaskBehindWhatWasPostedBefore() {
        List<String> ran = new ArrayList<>();
        loop.execute(() -> ran.add("posted before"));

        CompletableFuture<Boolean> ended = loop.close(() -> ran.add("last"), LONG);

        assertThat(ended).isCompletedWithValue(true);
        assertThat(ran).containsExactly("posted before", "last");
    }

    @Test
    void endsFromWithinATaskWithoutWaitingForItself() throws Exception {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        loop.execute(() -> ended.complete(loop.close(loop::inLoop, LONG).isDone()));

        assertThat(ended.get(1, TimeUnit.MINUTES)).isTrue();
    }

    /** As when a host ends its threads, and one of them closes in its finally block. */
    @Test
    void anInterruptedThreadThatClosesWaitsAllTheSameAndStaysInterrupted() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        loop.execute(() -> {
            begun.countDown();
            awaitUninterruptibly(hangs);
        });
        begun.await();
        Thread.currentThread().interrupt();
        try {
            new Thread(hangs::countDown).start();

            assertThat(loop.close(() -> true, LONG)).isCompletedWithValue(true);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void doesNotWaitForATaskThatHangsAndEndsBehindItAllTheSame() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        loop.execute(() -> {
            begun.countDown();
            awaitUninterruptibly(hangs);
        });
        loop.execute(others::incrementAndGet);
        begun.await();

        CompletableFuture<Boolean> ended = loop.close(loop::inLoop, Duration.ofMillis(1));
        assertThat(ended).isNotDone();

        hangs.countDown();
        assertThat(ended.get(1, TimeUnit.MINUTES)).as("on the loop").isTrue();
        assertThat(others).as("nothing else").hasValue(0);
    }

    @Test
    void tellsHowItsLastTaskFailed() {
        CompletableFuture<Boolean> ended = loop.close(
                () -> {
                    throw new IllegalStateException("on purpose");
                },
                LONG);

        assertThat(ended).isCompletedExceptionally();
    }

    /** A caller that wants no deadline passes the longest duration. */
    @Test
    void takesATimeThatNeverComesForWhatItIs() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<Boolean> soon = new CompletableFuture<>();
        loop.execute(() -> {
            loop.schedule(Duration.ofNanos(Long.MAX_VALUE), ran::incrementAndGet);
            loop.schedule(ChronoUnit.FOREVER.getDuration(), ran::incrementAndGet);
            loop.schedule(Duration.ofMillis(1), () -> soon.complete(true));
        });

        assertThat(soon.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(ran).hasValue(0);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void dropsWhatIsPostedAfterItWasClosed() {
        AtomicInteger ran = new AtomicInteger();
        loop.close();

        loop.execute(ran::incrementAndGet);
        loop.close();

        assertThat(ran).hasValue(0);
    }
}
