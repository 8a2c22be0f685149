package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuestionsTest {
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private final ManualLoop loop = new ManualLoop();
    private final ManualWorkers workers = new ManualWorkers();
    private final OperationExecutor executor =
            new OperationExecutor(loop, workers, new OperationExecutor.Limits(64, 100, 100));
    private final Questions<String> questions = new Questions<>(loop, executor, "test-");
    private final List<String> answers = new ArrayList<>();
    private int calls;

    @Test
    void whoAsksWhileTheSameIsAskedGetsThatAnswer() {
        ask("a");
        ask("a");
        ask("b");
        workers.runAll();
        loop.run();

        assertThat(answers).containsExactly("a: 1", "a: 1", "b: 2");
        assertThat(questions.size()).isZero();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void whoAsksAfterwardsAsksAnew() {
        ask("a");
        workers.runAll();
        loop.run();
        ask("a");
        workers.runAll();
        loop.run();

        assertThat(answers).containsExactly("a: 1", "a: 2");
    }

    @Test
    void aCallThatHangsIsAnsweredForAtItsDeadlineAndNotMadeAgainUntilItReturns() {
        ask("a");
        Runnable hanging = workers.hang();
        loop.advance(DEADLINE.minusMillis(1));
        assertThat(answers).isEmpty();
        loop.advance(Duration.ofMillis(1));
        assertThat(answers).containsExactly("a: UNCERTAIN plugin did not answer within 60000 ms");

        ask("a");
        assertThat(answers.get(1)).isEqualTo("a: TRANSIENT plugin has not answered yet what it was asked before");
        assertThat(workers.waiting()).isZero();

        hanging.run();
        loop.run();
        ask("a");
        workers.runAll();
        loop.run();
        assertThat(answers.get(2)).isEqualTo("a: 1");
    }

    /** It is asked again under another id, so nothing would ever remove this one from a lane that is never idle. */
    @Test
    void aQuestionThatHungLeavesNoSuspectInItsLane() {
        ask("a");
        Runnable hanging = workers.hang();
        loop.advance(DEADLINE);
        ask("b");
        hanging.run();
        loop.run();

        assertThat(questions.size()).as("the lane is in use").isEqualTo(1);
        assertThat(executor.suspects()).isZero();
    }

    @Test
    void aQuestionThatWaitsForItsTurnIsAnsweredInTimeAsWell() {
        for (int i = 0; i < 5; i++) {
            ask("k" + i);
        }
        assertThat(workers.waiting()).as("the lane's limit").isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            var unused = workers.hang();
        }
        loop.advance(DEADLINE);

        assertThat(answers).hasSize(5).allMatch(answer -> answer.contains("did not answer within"));
        loop.advance(DEADLINE);
        assertThat(workers.waiting()).as("the fifth is not wanted any more").isZero();
        assertThat(questions.size()).isEqualTo(4);
    }

    @Test
    void aLaneInWhichTooManyHangIsNotAskedAndOthersAre() {
        List<Runnable> hanging = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            ask("k" + i);
            hanging.add(workers.hang());
            loop.advance(DEADLINE);
        }
        answers.clear();
        ask("one more");
        assertThat(answers)
                .containsExactly("one more: TRANSIENT 16 questions to plugin have not been answered; no more are asked"
                        + " until one is");

        ask("other", "another plugin");
        workers.runAll();
        loop.run();
        assertThat(answers.get(1)).startsWith("other: ");

        hanging.get(3).run();
        loop.run();
        ask("one more");
        workers.runAll();
        loop.run();
        assertThat(answers.get(2)).isEqualTo("one more: " + calls);
    }

    @Test
    void aCallThatCannotBeMadeIsAFailureAndTheQuestionMayBeAskedAgain() {
        questions.ask(
                "a",
                "pod",
                () -> {
                    throw new IllegalStateException("no limit");
                },
                outcome -> answers.add(text("a", outcome)));
        assertThat(answers)
                .containsExactly("a: TRANSIENT the call could not be made: java.lang.IllegalStateException: no limit");

        ask("a");
        workers.runAll();
        loop.run();
        assertThat(answers.get(1)).isEqualTo("a: 1");
    }

    @Test
    void whatIsTakenDownIsNotWaitedFor() {
        ask("a");
        questions.withdraw("a", "another");
        assertThat(answers).isEmpty();
        questions.withdraw("a", "pod");
        assertThat(answers).containsExactly("a: TRANSIENT not answered, because it is being taken down meanwhile");

        workers.runAll();
        loop.run();
        assertThat(answers).hasSize(1);
        assertThat(questions.size()).isZero();
    }

    @Test
    void closingAnswersEverybody() {
        ask("a");
        ask("b");
        questions.close(() -> VolumeException.transientFailure("closed"));

        assertThat(answers).containsExactly("a: TRANSIENT closed", "b: TRANSIENT closed");
        assertThat(loop.timers())
                .as("nothing is left that would wake the loop for them")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void aFailureIsToldAsItIs() {
        questions.ask(
                "a",
                "pod",
                () -> new Call("plugin", 4, DEADLINE, context -> {
                    throw VolumeException.finalFailure("no figures");
                }),
                outcome -> answers.add(text("a", outcome)));
        workers.runAll();
        loop.run();

        assertThat(answers).containsExactly("a: " + FailureKind.FINAL + " no figures");
    }

    private void ask(String key) {
        ask(key, "plugin");
    }

    private void ask(String key, String lane) {
        questions.ask(
                key,
                "pod",
                () -> new Call(lane, 4, DEADLINE, context -> ++calls),
                outcome -> answers.add(text(key, outcome)));
    }

    private static String text(String key, Outcome outcome) {
        VolumeException failure = outcome.failure();
        return key + ": " + (failure == null ? outcome.value() : failure.kind() + " " + failure.reason());
    }
}
