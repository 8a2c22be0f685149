package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The engine retries what fails later, and neither a failure nor a bug delays other keys. */
class EngineFailuresTest {
    private final EngineHarness harness = new EngineHarness();
    private final ManualLoop loop = harness.loop;
    private final ManualWorkers workers = harness.workers;
    private final Counters world = harness.world;
    private final HeldIntents intents = harness.intents;
    private final Engine<String, Counters.View, Counters.Move> engine = harness.engine;

    @Test
    void doublesTheWaitAfterEachFailureAndForgetsItAtTheFirstSuccess() {
        world.want("a", 2);
        world.fail("a", VolumeException.transientFailure("no"), 3);
        List<Duration> waits = new ArrayList<>();
        engine.dirty("a");
        for (int failure = 0; failure < 3; failure++) {
            loop.run();
            workers.runNext();
            loop.run();
            waits.add(engine.explain("a", "a").steps().get(0).nextTry());
            loop.advance(waits.get(failure));
        }

        assertThat(waits.get(0)).isBetween(Duration.ofMillis(500), Duration.ofMillis(550));
        assertThat(waits.get(1)).isBetween(Duration.ofMillis(1000), Duration.ofMillis(1100));
        assertThat(waits.get(2)).isBetween(Duration.ofMillis(2000), Duration.ofMillis(2200));

        workers.runNext();
        loop.run();
        assertThat(workers.waiting()).as("the next step is not put off").isOne();
    }

    @Test
    void triesAtOnceWhenTheFailuresAreForgotten() {
        world.want("a", 1);
        world.fail("a", VolumeException.finalFailure("no"), 1);
        engine.dirty("a");
        loop.run();
        workers.runNext();
        loop.run();

        engine.forgetFailures("a");
        loop.run();

        assertThat(workers.waiting()).isOne();
    }

    @Test
    void takesAnUnclassifiedExceptionForUncertain() {
        world.want("a", 1);
        world.crash("a", new IllegalStateException("boom"));
        engine.dirty("a");
        loop.run();
        workers.runNext();
        loop.run();

        assertThat(world.log).contains("UNCERTAIN a");
    }

    @Test
    void whatAWorldSaysOfAStepThatItCannotBeginIsItsOutcome() {
        world.want("a", 1);
        world.refusedCall = VolumeException.finalFailure("nothing to call");
        engine.dirty("a");
        loop.run();

        assertThat(world.log).containsExactly("failed a: nothing to call", "FINAL a");
        assertThat(engine.underWay()).isZero();
    }

    @ParameterizedTest(name = "fails at {0}, by an error of the JVM {1}")
    @CsvSource({"taken, false", "intent, false", "call, false", "taken, true", "intent, true", "call, true"})
    void aStepThatCannotBeginBlocksNoOtherStepAndIsTriedAgainLater(String stage, boolean byAnError) {
        world.brokenByAnError = byAnError;
        world.sharedKey = "disk";
        world.want("a", 1);
        world.want("b", 1);
        world.brokenStage = stage;
        intents.refusing = () -> world.breakIf("intent", "a");
        engine.dirty("a");
        engine.dirty("b");

        assertThatThrownBy(loop::run).hasMessageContaining("cannot be begun");
        loop.run();
        assertThat(workers.waiting()).as("the other one's turn").isOne();
        assertThat(engine.explain("a", "a").text()).contains("cannot be begun");

        world.brokenStage = "";
        harness.settle("b");
        loop.advance(Duration.ofSeconds(10));
        harness.settle("a");
        assertThat(world.calls).containsExactly("b+1", "a+1");
        assertThat(engine.underWay()).isZero();
    }

    @Test
    void aKeyWhoseVisitFailsDelaysNoOtherKeyAndIsVisitedAgain() {
        world.want("a", 1);
        world.want("b", 1);
        world.broken = "a";
        engine.dirty("a");
        engine.dirty("b");

        assertThatThrownBy(loop::run).hasMessage("cannot be looked at");
        loop.run();
        assertThat(workers.waiting()).as("the other one").isOne();

        world.broken = "";
        loop.advance(Duration.ofSeconds(10));
        assertThat(workers.waiting()).as("both").isEqualTo(2);
    }

    @Test
    void anOutcomeThatCannotBeTakenOverBlocksNoOtherStep() {
        world.sharedKey = "disk";
        world.want("a", 1);
        world.want("b", 1);
        engine.dirty("a");
        engine.dirty("b");
        loop.run();
        world.brokenOutcome = "a";
        workers.runAll();

        assertThatThrownBy(loop::run).hasMessage("cannot be taken over");
        loop.run();

        assertThat(workers.waiting()).as("the next one's turn").isOne();
    }
}
