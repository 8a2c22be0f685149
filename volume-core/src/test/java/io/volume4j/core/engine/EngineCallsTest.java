package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of calls that hang, that wait for their place, or that are not wanted any more. */
class EngineCallsTest {
    private final EngineHarness harness = new EngineHarness();
    private final ManualLoop loop = harness.loop;
    private final ManualWorkers workers = harness.workers;
    private final Counters world = harness.world;
    private final Engine<String, Counters.View, Counters.Move> engine = harness.engine;

    @Test
    void writesOffACallPastItsDeadlineAndKeepsItsKeysUntilTheThreadReturns() {
        world.want("a", 1);
        engine.dirty("a");
        loop.run();
        Runnable stuck = workers.hang();
        loop.advance(EngineHarness.DEADLINE);

        assertThat(world.log).contains("failed a: test lane did not answer within 10000 ms");
        loop.advance(Duration.ofMinutes(10));
        assertThat(workers.waiting()).isZero();
        assertThat(engine.explain("a", "a").text()).contains("written off, its thread has not returned");

        stuck.run();
        loop.run();

        assertThat(workers.waiting()).as("the step is tried again").isOne();
        assertThat(world.log.stream().filter(line -> line.equals("moved a")))
                .as("the late answer counts for nothing")
                .isEmpty();
    }

    @Test
    void stopsALaneAtItsCapOfWrittenOffCallsAndNoOther() {
        world.want("a", 1);
        world.want("b", 1);
        world.want("c", 1);
        List.of("a", "b").forEach(engine::dirty);
        loop.run();
        Runnable first = workers.hang();
        workers.hang();
        loop.advance(EngineHarness.DEADLINE);
        engine.dirty("c");
        world.lanes.put("d", "other lane");
        world.want("d", 1);
        engine.dirty("d");
        loop.run();

        assertThat(workers.waiting()).isOne();
        workers.runNext();
        loop.run();
        assertThat(world.calls).containsExactly("d+1");

        first.run();
        loop.advance(Duration.ofSeconds(1));
        assertThat(workers.waiting()).as("c may start, and a again").isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"optional, optional+1 cancelled", "needed, needed+1"})
    void cancelsACallThatIsNoLongerWantedOnlyIfItsStepSaysSo(String name, String call) {
        world.want(name, 1);
        engine.dirty(name);
        loop.run();

        world.during = () -> {
            world.want(name, 0);
            engine.dirty(name);
            loop.run();
        };
        workers.runNext();

        assertThat(world.calls).containsExactly(call);
    }

    @Test
    void doesNotMakeACallThatWaitsForItsPlaceAndIsNoLongerWanted() {
        for (String name : List.of("a", "b", "c", "d", "optional")) {
            world.want(name, 1);
            engine.dirty(name);
        }
        loop.run();
        assertThat(workers.waiting()).as("the lane has four places").isEqualTo(4);
        assertThat(engine.explain("optional", "optional").text())
                .contains("queued (the limit of concurrent calls of test lane is reached: 4)");
        assertThat(engine.explain("a", "a").text()).contains("running");

        world.want("optional", 0);
        engine.dirty("optional");
        loop.run();
        workers.runAll();
        loop.run();

        assertThat(workers.waiting()).isZero();
        assertThat(world.calls).containsExactly("a+1", "b+1", "c+1", "d+1");
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void withdrawsACallThatWaitsForItsPlaceAndIsNoLongerWantedAsIfItHadNeverBeenAskedFor() {
        world.sharedKey = "k";
        world.lanes.put("a", "other lane");
        fillTheLaneAnd("droppable");
        world.want("a", 1);
        engine.dirty("a");
        loop.run();
        assertThat(workers.waiting()).as("a waits for the conflict key").isEqualTo(4);

        world.want("droppable", 0);
        engine.dirty("droppable");
        loop.run();

        assertThat(world.log).containsOnlyOnce("abandoned droppable");
        assertThat(workers.waiting()).as("a has the conflict key").isEqualTo(5);
        workers.runAll();
        loop.run();
        assertThat(world.calls).containsExactlyInAnyOrder("1+1", "2+1", "3+1", "4+1", "a+1");
        assertThat(world.log).noneMatch(line -> line.contains("droppable") && !line.startsWith("abandoned"));
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void makesACallThatWasWithdrawnAndIsWantedAgainWithoutDelay() {
        fillTheLaneAnd("droppable");
        world.want("droppable", 0);
        engine.dirty("droppable");
        loop.run();

        world.want("droppable", 1);
        engine.dirty("droppable");
        loop.run();
        workers.runAll();
        loop.run();
        workers.runAll();
        loop.run();

        assertThat(world.calls).containsOnlyOnce("droppable+1");
    }

    @Test
    void withdrawsNoCallThatAWorkerMayHaveBegun() {
        world.want("droppable", 1);
        engine.dirty("droppable");
        loop.run();
        world.want("droppable", 0);
        engine.dirty("droppable");
        loop.run();

        workers.runAll();
        loop.run();

        assertThat(world.log).doesNotContain("abandoned droppable");
        assertThat(world.calls).containsExactly("droppable+1");
    }

    /** Four calls that have all places of the lane, and one that waits behind them. */
    private void fillTheLaneAnd(String waiting) {
        String shared = world.sharedKey;
        world.sharedKey = "";
        for (String name : List.of("1", "2", "3", "4")) {
            world.want(name, 1);
            engine.dirty(name);
        }
        loop.run();
        world.sharedKey = shared;
        world.want(waiting, 1);
        engine.dirty(waiting);
        loop.run();
        assertThat(workers.waiting()).as("the lane has four places").isEqualTo(4);
    }
}
