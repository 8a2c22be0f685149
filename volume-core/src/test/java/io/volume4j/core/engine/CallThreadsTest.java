package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallThreadsTest {
    private static final long PATIENCE_SECONDS = 60;

    private final AtomicLong clock = new AtomicLong();
    private final CallThreads threads = new CallThreads(new DaemonThreads("call-test-"), clock::get, Runnable::run);

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void makesEveryCallOnce() throws InterruptedException {
        int calls = 20_000;
        AtomicInteger made = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(calls);
        Thread[] callers = new Thread[4];
        for (int i = 0; i < callers.length; i++) {
            callers[i] = new Thread(() -> {
                for (int j = 0; j < calls / callers.length; j++) {
                    threads.execute(() -> {
                        made.incrementAndGet();
                        all.countDown();
                    });
                }
            });
            callers[i].start();
        }
        assertThat(all.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(made).hasValue(calls);
    }

    /** One after the other, so that each call finds all threads asleep or falling asleep. */
    @Test
    void missesNoCallThatComesWhileThreadsFallAsleep() throws InterruptedException {
        for (int i = 0; i < 20_000; i++) {
            CountDownLatch made = new CountDownLatch(1);
            threads.execute(made::countDown);
            assertThat(made.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("call %d", i)
                    .isTrue();
        }
    }

    /** Some virtual machines refuse when the thread is made, others when it is started. */
    @Test
    void makesACallLaterForWhichThereWasNoThread() throws InterruptedException {
        AtomicInteger left = new AtomicInteger(2);
        ThreadFactory scarce = task -> {
            int refusals = left.getAndDecrement();
            if (refusals == 2) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return refusals == 1 ? new NotStarted(task) : new DaemonThreads("call-test-").newThread(task);
        };
        try (CallThreads few = new CallThreads(scarce, clock::get, Runnable::run)) {
            CountDownLatch made = new CountDownLatch(3);
            for (int i = 0; i < 3; i++) {
                few.execute(made::countDown);
            }

            assertThat(made.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static final class NotStarted extends Thread {
        NotStarted(Runnable task) {
            super(task);
        }

        @Override
        public synchronized void start() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    @Test
    void isWokenOnceForCallsThatCameTogether() throws InterruptedException {
        List<Runnable> wakes = new ArrayList<>();
        try (CallThreads patient = new CallThreads(new DaemonThreads("call-test-"), clock::get, wakes::add)) {
            CountDownLatch made = new CountDownLatch(3);
            for (int i = 0; i < 3; i++) {
                patient.execute(made::countDown);
            }
            assertThat(wakes).hasSize(3).containsOnly(wakes.get(0));
            assertThat(made.getCount()).isEqualTo(3);

            wakes.get(0).run();

            assertThat(made.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void callsThatNeverReturnKeepNoCallerWaiting() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
            threads.execute(() -> {
                stuck.countDown();
                awaitQuietly(end);
            });
        }
        assertThat(stuck.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

        CountDownLatch made = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) {
            threads.execute(made::countDown);
        }
        assertThat(made.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        end.countDown();
    }

    @Test
    void goesOnAfterACallThatThrowsOrIsInterrupted() throws InterruptedException {
        threads.execute(() -> {
            throw new IllegalStateException("a bug in a call");
        });
        threads.execute(() -> Thread.currentThread().interrupt());
        CountDownLatch made = new CountDownLatch(1);
        threads.execute(made::countDown);

        assertThat(made.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** A thread that was asleep for long enough ends; the next call gets another. */
    @Test
    void threadsEndWhenNothingComes() throws InterruptedException {
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch first = new CountDownLatch(1);
        threads.execute(() -> {
            seen.add(Thread.currentThread());
            first.countDown();
        });
        assertThat(first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        Thread worker = seen.iterator().next();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(31));
        // It looks at its clock when it wakes up, for whatever reason.
        while (worker.isAlive()) {
            java.util.concurrent.locks.LockSupport.unpark(worker);
            worker.join(1);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(31));
        }
        CountDownLatch second = new CountDownLatch(1);
        threads.execute(second::countDown);

        assertThat(second.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closingInterruptsWhatRunsAndMakesNoMore() throws InterruptedException {
        List<Thread> running = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        threads.execute(() -> {
            running.add(Thread.currentThread());
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupted.countDown();
            }
        });
        assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        threads.close();

        assertThat(interrupted.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        running.get(0).join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        assertThat(running.get(0).isAlive()).isFalse();
        assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
