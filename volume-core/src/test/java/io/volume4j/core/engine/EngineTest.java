package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an engine does about a key, and when it looks at one. */
class EngineTest {
    private final EngineHarness harness = new EngineHarness();
    private final ManualLoop loop = harness.loop;
    private final ManualWorkers workers = harness.workers;
    private final Counters world = harness.world;
    private final HeldIntents intents = harness.intents;
    private final Engine<String, Counters.View, Counters.Move> engine = harness.engine;

    /** Of the keys that have to wait some want nothing any more when their turn comes. */
    @Test
    void takesNoMoreStepsOfAGroupThanItsBoundAndAllOfThemInTheEnd() {
        int keys = 3 * Intake.MOST + 5;
        world.group = key -> key.startsWith("k") ? "many" : "other";
        for (int i = 0; i < keys; i++) {
            world.want("k" + i, 1);
            engine.dirty("k" + i);
        }
        world.want("other", 1);
        engine.dirty("other");
        loop.run();

        assertThat(engine.underWay()).as("of the many, and of another group").isEqualTo(Intake.MOST + 1);
        for (int i = Intake.MOST; i < 2 * Intake.MOST; i++) {
            world.want("k" + i, 0);
        }
        while (workers.waiting() > 0) {
            workers.runNext();
            loop.run();
            assertThat(engine.underWay()).isLessThanOrEqualTo(Intake.MOST + 1);
        }
        for (int i = 0; i < keys; i++) {
            assertThat(world.at("k" + i)).isEqualTo(i >= Intake.MOST && i < 2 * Intake.MOST ? 0 : 1);
        }
        assertThat(world.at("other")).isEqualTo(1);
        assertThat(engine.underWay()).isZero();
        assertThat(engine.quiet()).isTrue();
    }

    /** Calls end together: each place is offered to a key of its own. */
    @Test
    void looksAtAKeyThatWaitsForAPlaceOnlyWhenThereIsOne() {
        world.group = key -> "many";
        for (int i = 0; i < 2 * Intake.MOST; i++) {
            world.want("k" + i, 1);
            engine.dirty("k" + i);
        }
        loop.run();
        world.looks = 0;
        while (workers.waiting() > 0) {
            workers.runAll();
            loop.run();
        }

        int atItsPlace = 1;
        int withItsIntent = 1;
        int atItsEnd = 1;
        assertThat(world.looks).isEqualTo(Intake.MOST * (atItsEnd + atItsPlace + withItsIntent + atItsEnd));
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void carriesOutWhatThePlannerWantsUntilNothingIsLeft() {
        world.want("a", 3);

        harness.settle("a");

        assertThat(world.calls).containsExactly("a+1", "a+1", "a+1");
        assertThat(engine.quiet()).isTrue();
        assertThat(engine.explain("a", "a").text()).isEqualTo("a: as it should be");
    }

    @Test
    void doesInternalStepsAtOnceWithoutIntentOrCall() {
        world.internal = true;
        world.want("a", 2);
        engine.dirty("a");
        loop.run();

        assertThat(world.log).containsExactly("moved a", "moved a");
        assertThat(intents.recorded).isZero();
        assertThat(workers.waiting()).isZero();
    }

    @Test
    void doesNothingWhileAnotherStepHoldsAConflictKeyAndGoesOnWhenItIsFree() {
        world.sharedKey = "disk";
        world.want("a", 1);
        world.want("b", 1);
        engine.dirty("a");
        engine.dirty("b");
        loop.run();

        assertThat(workers.waiting()).isOne();
        assertThat(engine.explain("b", "b").text()).contains("blocked (another operation uses disk)");

        workers.runNext();
        loop.run();
        workers.runNext();
        loop.run();

        assertThat(world.calls).containsExactly("a+1", "b+1");
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void looksAgainWhenAWaitIsOver() {
        world.want("a", 1);
        world.notBefore = Duration.ofSeconds(5).toNanos();
        engine.dirty("a");
        loop.run();
        assertThat(engine.explain("a", "a").waits()).containsExactly("too early");
        assertThat(engine.quiet()).isFalse();

        loop.advance(Duration.ofSeconds(4));
        assertThat(workers.waiting()).isZero();
        loop.advance(Duration.ofSeconds(1));
        assertThat(workers.waiting()).isOne();
    }

    @Test
    void isQuietWhileItOnlyMakesSureFromTimeToTime() {
        world.want("a", 1);
        world.notBefore = Duration.ofSeconds(5).toNanos();
        world.routine = true;
        engine.dirty("a");
        loop.run();
        assertThat(engine.quiet()).isTrue();

        loop.advance(Duration.ofSeconds(5));
        assertThat(workers.waiting()).isOne();
        assertThat(engine.quiet()).isFalse();
    }

    @Test
    void anIdleEngineKeepsNoTimerButTheResync() {
        world.want("a", 1);
        engine.start();
        harness.settle("a");

        assertThat(loop.timers()).isOne();
    }

    @Test
    void theResyncFindsWhatNoEventAnnounced() {
        engine.start();
        world.want("a", 1);

        loop.advance(Duration.ofSeconds(1));

        assertThat(workers.waiting()).isOne();
    }

    @Test
    void closingCancelsAndNamesWhatStillRuns() {
        world.want("a", 1);
        engine.dirty("a");
        loop.run();
        Runnable stuck = workers.hang();

        assertThat(engine.close()).singleElement().asString().contains("test-1-1", "test lane");

        stuck.run();
        loop.run();
        assertThat(world.log).doesNotContain("moved a");
    }
}
