package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What threads share, under a model checker: it decides at every read, write, lock and park which thread goes on, goes through so
 * many of these schedules, and fails on one that breaks an assertion or in which no thread can go on. The same schedules every time.
 *
 * <p>Fifty of each in every build, 10,000 with {@code -Pnightly}, another number with {@code -Dvolume4j.interleavings}.
 */
@Timeout(600)
class SharedBetweenThreadsTest {
    private static final int SCHEDULES =
            Integer.getInteger("volume4j.interleavings", Boolean.getBoolean("volume4j.nightly") ? 10_000 : 50);

    /** The checker puts its agent there, and does not make the directory. */
    @BeforeAll
    static void makeTemporaryDirectory() throws IOException {
        Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private static void inEverySchedule(Body body) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Not by AssertJ: the checker would follow every step of it. */
    private static void check(boolean right, String otherwise) {
        if (!right) {
            throw new AssertionError(otherwise);
        }
    }

    private static ThreadEventLoop loop() {
        return ThreadEventLoop.start(task -> new Thread(task, "loop"), () -> 0, InstantSource.system());
    }

    @Test
    void aCancelActionRunsExactlyOnceHoweverRegistrationAndCancellationMeet() {
        inEverySchedule(() -> {
            RunningCall call = RunningCall.notStarted();
            AtomicInteger ran = new AtomicInteger();
            Thread registers = new Thread(() -> call.onCancel(ran::incrementAndGet));
            Thread cancels = new Thread(call::cancel);
            registers.start();
            cancels.start();
            registers.join();
            cancels.join();
            check(call.cancelled(), "not cancelled");
            check(ran.get() == 1, "the action ran " + ran.get() + " times");
        });
    }

    @Test
    void twoCancellationsAndAnEndRunACancelActionAtMostOnce() {
        inEverySchedule(() -> {
            RunningCall call = RunningCall.notStarted();
            AtomicInteger ran = new AtomicInteger();
            call.onCancel(ran::incrementAndGet);
            Thread one = new Thread(call::cancel);
            Thread other = new Thread(call::cancel);
            Thread ends = new Thread(call::end);
            one.start();
            other.start();
            ends.start();
            one.join();
            other.join();
            ends.join();
            check(ran.get() == (call.cancelled() ? 1 : 0), "the action ran " + ran.get() + " times");
        });
    }

    @Test
    void theLoopNeverSleepsThroughATask() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            Thread posts = new Thread(() -> loop.execute(() -> done.complete(true)));
            posts.start();
            check(done.join(), "the task was lost");
            posts.join();
            loop.close();
        });
    }

    @Test
    void closingEndsTheLoopAndLeavesNoTaskHalfRun() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            AtomicInteger begun = new AtomicInteger();
            AtomicInteger ended = new AtomicInteger();
            Thread posts = new Thread(() -> loop.execute(() -> {
                begun.incrementAndGet();
                ended.incrementAndGet();
            }));
            posts.start();
            loop.close();
            check(ended.get() == begun.get(), "closed in the midst of a task");
            posts.join();
        });
    }

    private static OpenAnswers answers() {
        return new OpenAnswers(() -> VolumeException.transientFailure("closed"));
    }

    private static void ask(ThreadEventLoop loop, OpenAnswers answers, CompletableFuture<Boolean> answer) {
        answers.owe(answer);
        loop.execute(() -> answer.complete(true));
    }

    @Test
    void whoAsksALoopThatIsBeingClosedIsAnsweredOrRefused() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            OpenAnswers answers = answers();
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread asks = new Thread(() -> ask(loop, answers, answer));
            asks.start();
            loop.close();
            answers.end();
            asks.join();
            check(answer.isDone(), "no answer came");
            check(answers.size() == 0, "an answer is still owed");
        });
    }

    @Test
    void whoGivesUpWhileTheLoopAnswersLeavesNothingBehind() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            OpenAnswers answers = answers();
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread givesUp = new Thread(() -> answer.cancel(false));
            givesUp.start();
            ask(loop, answers, answer);
            givesUp.join();
            check(answer.isDone(), "neither answered nor given up");
            check(answers.size() == 0, "an answer is still owed");
            loop.close();
        });
    }

    @Test
    void aSnapshotIsOfOneMomentHoweverItIsAskedFor() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            int[] state = {0, 0};
            CompletableFuture<int[]> snapshot = new CompletableFuture<>();
            Thread asks = new Thread(() -> loop.execute(() -> snapshot.complete(state.clone())));
            asks.start();
            loop.execute(() -> {
                state[0]++;
                state[1]++;
            });
            int[] seen = snapshot.join();
            check(seen[0] == seen[1], "half of a step was seen");
            asks.join();
            loop.close();
        });
    }

    @Test
    void tasksOfOneThreadRunInTheirOrder() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            List<Integer> seen = new ArrayList<>();
            CompletableFuture<List<Integer>> all = new CompletableFuture<>();
            loop.execute(() -> seen.add(1));
            loop.schedule(Duration.ZERO, () -> {}).cancel();
            loop.execute(() -> seen.add(2));
            loop.execute(() -> all.complete(seen));
            check(all.join().equals(List.of(1, 2)), "in another order: " + seen);
            loop.close();
        });
    }

    @Test
    void everyCallIsMadeOnceHoweverThreadsFallAsleepAndWake() {
        inEverySchedule(() -> {
            CallThreads threads = new CallThreads(task -> new Thread(task, "call"), () -> 0, Runnable::run);
            AtomicInteger made = new AtomicInteger();
            CompletableFuture<Boolean> first = new CompletableFuture<>();
            CompletableFuture<Boolean> second = new CompletableFuture<>();
            Thread posts = new Thread(() -> threads.execute(() -> {
                made.incrementAndGet();
                first.complete(true);
            }));
            posts.start();
            threads.execute(() -> {
                made.incrementAndGet();
                second.complete(true);
            });
            first.join();
            second.join();
            posts.join();
            check(made.get() == 2, made.get() + " calls were made");
            threads.close();
        });
    }

    @Test
    void aCallIsMadeOrRefusedOrDroppedByAClosingPoolButNeverMadeTwice() {
        inEverySchedule(() -> {
            CallThreads threads = new CallThreads(task -> new Thread(task, "call"), () -> 0, Runnable::run);
            AtomicInteger made = new AtomicInteger();
            Thread posts = new Thread(() -> {
                try {
                    threads.execute(made::incrementAndGet);
                } catch (RejectedExecutionException closed) {
                    check(made.get() == 0, "refused and made");
                }
            });
            posts.start();
            threads.close();
            posts.join();
            check(made.get() <= 1, "made twice");
        });
    }

    @Test
    void aTurnIsHadByOneThreadAtATimeAndACallForItIsAnswered() {
        inEverySchedule(() -> {
            Turn turn = new Turn();
            AtomicInteger within = new AtomicInteger();
            AtomicInteger taken = new AtomicInteger();
            Body takes = () -> {
                turn.call();
                if (turn.take()) {
                    check(within.incrementAndGet() == 1, "two threads have it");
                    taken.incrementAndGet();
                    within.decrementAndGet();
                    turn.leave();
                }
            };
            Thread other = new Thread(() -> run(takes));
            other.start();
            takes.run();
            other.join();
            check(taken.get() >= 1, "no thread took it");
            check(!turn.called(), "the call was not answered");
        });
    }

    @Test
    void aLoopThatItsCallsThreadsRunTooLosesNoTask() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            CallThreads threads = loop.callThreads(task -> new Thread(task, "call"));
            CompletableFuture<Boolean> called = new CompletableFuture<>();
            CompletableFuture<Boolean> posted = new CompletableFuture<>();
            Thread posts = new Thread(() -> loop.execute(() -> posted.complete(true)));
            posts.start();
            loop.execute(() -> threads.execute(() -> loop.execute(() -> called.complete(true))));
            check(called.join(), "the task of the call was lost");
            check(posted.join(), "the task was lost");
            posts.join();
            loop.close();
            threads.close();
        });
    }

    @Test
    void tasksOfALoopThatItsCallsThreadsRunTooNeverMeet() {
        inEverySchedule(() -> {
            ThreadEventLoop loop = loop();
            CallThreads threads = loop.callThreads(task -> new Thread(task, "call"));
            int[] state = {0, 0};
            CompletableFuture<Boolean> one = new CompletableFuture<>();
            CompletableFuture<Boolean> two = new CompletableFuture<>();
            threads.execute(() -> loop.execute(() -> {
                state[0]++;
                state[1]++;
                one.complete(state[0] == state[1]);
            }));
            loop.execute(() -> {
                state[0]++;
                state[1]++;
                two.complete(state[0] == state[1]);
            });
            check(one.join() && two.join(), "half of a task was seen");
            loop.close();
            check(state[0] == 2, "not seen by who closed it: " + state[0]);
            threads.close();
        });
    }

    private static void run(Body body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
