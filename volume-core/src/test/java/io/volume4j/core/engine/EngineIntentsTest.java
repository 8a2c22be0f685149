package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.VolumeException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** No call is made before its intent is durable, and none that is not wanted any more by then. */
class EngineIntentsTest {
    private final EngineHarness harness = new EngineHarness();
    private final ManualLoop loop = harness.loop;
    private final ManualWorkers workers = harness.workers;
    private final Counters world = harness.world;
    private final HeldIntents intents = harness.intents;
    private final Engine<String, Counters.View, Counters.Move> engine = harness.engine;

    @Test
    void sendsACallOnlyAfterItsIntentIsDurable() {
        world.want("a", 1);
        intents.hold = true;
        engine.dirty("a");
        loop.run();

        assertThat(workers.waiting()).isZero();
        assertThat(engine.explain("a", "a").text()).contains("move a by 1: recording the intent");

        intents.release(null);
        loop.run();

        assertThat(workers.waiting()).isOne();
    }

    @Test
    void dropsAStepThatIsNoLongerWantedWhenItsIntentBecameDurable() {
        world.want("a", 1);
        intents.hold = true;
        engine.dirty("a");
        loop.run();

        world.want("a", 0);
        intents.release(null);
        loop.run();

        assertThat(workers.waiting()).isZero();
        assertThat(world.log).contains("abandoned a");
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void triesLaterWhenTheIntentCannotBeMadeDurable() {
        world.want("a", 1);
        intents.hold = true;
        engine.dirty("a");
        loop.run();
        intents.release(VolumeException.transientFailure("disk full"));
        loop.run();

        assertThat(workers.waiting()).isZero();
        assertThat(engine.explain("a", "a").text()).contains("failed 1 time", "disk full");

        intents.hold = false;
        loop.advance(Duration.ofMillis(600));
        assertThat(workers.waiting()).isOne();
    }
}
