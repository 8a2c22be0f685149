package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the engine, on a world of numbers that want to reach a target by steps of one. */
class EngineTest {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final ManualLoop loop = new ManualLoop();
    private final ManualWorkers workers = new ManualWorkers();
    private final Counters world = new Counters(loop);
    private final Intents intents = new Intents();
    private final OperationExecutor executor =
            new OperationExecutor(loop, workers, new OperationExecutor.Limits(8, 2, 4));
    private final Engine<String, Counters.View, Counters.Move> engine = new Engine<>(
            loop,
            world,
            Counters::plan,
            intents,
            executor,
            new Random(1),
            new Engine.Options("test", "1", Backoff.standard(), 10),
            new Engine.Observer<>() {});

    @Test
    void carriesOutWhatThePlannerWantsUntilNothingIsLeft() {
        world.want("a", 3);

        settle("a");

        assertThat(world.calls).containsExactly("a+1", "a+1", "a+1");
        assertThat(engine.quiet()).isTrue();
        assertThat(engine.explain("a", "a").text()).isEqualTo("a: as it should be");
    }

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
    void aKeyThatCannotBeLookedAtHoldsUpNobodyAndIsLookedAtAgain() {
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
    void anOutcomeThatCannotBeTakenOverLeavesNobodyBlocked() {
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

    @ParameterizedTest(name = "fails at {0}")
    @CsvSource({"taken", "intent", "call"})
    void aStepThatCannotBeBegunLeavesNobodyBlockedAndIsTriedAgainLater(String stage) {
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
        settle("b");
        loop.advance(Duration.ofSeconds(10));
        settle("a");
        assertThat(world.calls).containsExactly("b+1", "a+1");
        assertThat(engine.underWay()).isZero();
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
    void writesOffACallPastItsDeadlineAndKeepsItsKeysUntilTheThreadReturns() {
        world.want("a", 1);
        engine.dirty("a");
        loop.run();
        Runnable stuck = workers.hang();
        loop.advance(DEADLINE);

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
        loop.advance(DEADLINE);
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
        settle("a");

        assertThat(loop.timers()).isOne();
    }

    @Test
    void theResyncFindsWhatNobodyAnnounced() {
        engine.start();
        world.want("a", 1);

        loop.advance(Duration.ofSeconds(1));

        assertThat(workers.waiting()).isOne();
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
                .contains("queued (as many calls of test lane run as may, 4)");
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

    private void settle(String key) {
        engine.dirty(key);
        loop.run();
        while (workers.waiting() > 0) {
            workers.runNext();
            loop.run();
        }
    }

    /** Keeps intents until they are released. */
    private static final class Intents implements IntentLog<String, Counters.Move> {
        private final List<Consumer<@Nullable VolumeException>> held = new ArrayList<>();
        private Runnable refusing = () -> {};
        private boolean hold;
        private int recorded;

        @Override
        public void record(
                String operationId, String key, Counters.Move step, Consumer<@Nullable VolumeException> durable) {
            recorded++;
            if (key.equals("a")) {
                refusing.run();
            }
            if (hold) {
                held.add(durable);
            } else {
                durable.accept(null);
            }
        }

        void release(@Nullable VolumeException failure) {
            List<Consumer<@Nullable VolumeException>> all = new ArrayList<>(held);
            held.clear();
            all.forEach(durable -> durable.accept(failure));
        }
    }

    /** Numbers and the values that they should have. */
    static final class Counters implements World<String, Counters.View, Counters.Move> {
        private Runnable during = () -> {};
        private final Map<String, Integer> wanted = new TreeMap<>();
        private final Map<String, Integer> actual = new TreeMap<>();
        private final Map<String, Integer> failures = new TreeMap<>();
        private final Map<String, RuntimeException> errors = new TreeMap<>();
        private final Map<String, String> lanes = new TreeMap<>();
        private final List<String> calls = new ArrayList<>();
        private final List<String> log = new ArrayList<>();
        private final EventLoop clock;
        private String sharedKey = "";
        private String broken = "";
        private String brokenOutcome = "";
        private String brokenStage = "";
        private @Nullable VolumeException refusedCall;
        private boolean internal;
        private long notBefore;
        private boolean routine;

        Counters(EventLoop clock) {
            this.clock = clock;
        }

        record View(String name, int missing, String conflict, boolean internal, long notBefore, boolean routine) {}

        record Move(String name, int by, String conflict, boolean internal) implements Step {
            enum Kind {
                MOVE
            }

            @Override
            public Kind kind() {
                return Kind.MOVE;
            }

            @Override
            public List<ConflictKey> conflictKeys() {
                return List.of(ConflictKey.exclusive(ConflictKey.Scope.OBJECT, conflict));
            }

            @Override
            public boolean cancelledWhenUnwanted() {
                return name.startsWith("optional");
            }

            @Override
            public boolean withdrawnWhenUnwanted() {
                return name.startsWith("droppable");
            }

            @Override
            public String describe() {
                return "move " + name + " by " + by;
            }
        }

        static Plan<Move> plan(View view) {
            if (view.missing() == 0) {
                return Plan.nothing();
            }
            if (view.notBefore() > 0) {
                return new Plan<>(
                        List.of(),
                        List.of(
                                view.routine()
                                        ? Wait.routinely(view.notBefore(), "all is well")
                                        : Wait.until(view.notBefore(), "too early")));
            }
            return new Plan<>(List.of(new Move(view.name(), 1, view.conflict(), view.internal())), List.of());
        }

        void want(String name, int value) {
            wanted.put(name, value);
        }

        void fail(String name, RuntimeException error, int times) {
            errors.put(name, error);
            failures.put(name, times);
        }

        void crash(String name, RuntimeException error) {
            fail(name, error, 1);
        }

        @Override
        public @Nullable View view(String key) {
            if (key.equals(broken)) {
                throw new IllegalStateException("cannot be looked at");
            }
            int missing = wanted.getOrDefault(key, 0) - actual.getOrDefault(key, 0);
            long wait = notBefore > clock.nanoTime() ? notBefore : 0;
            return new View(key, missing, sharedKey.isEmpty() ? key : sharedKey, internal, wait, routine);
        }

        private void breakIf(String stage, String key) {
            if (stage.equals(brokenStage) && key.equals("a")) {
                throw new IllegalStateException("cannot be begun");
            }
        }

        @Override
        public void taken(String key, Move step) {
            breakIf("taken", key);
        }

        @Override
        public Call call(String key, Move step) {
            breakIf("call", key);
            if (refusedCall != null) {
                throw refusedCall;
            }
            return new Call(lanes.getOrDefault(key, "test lane"), 4, DEADLINE, context -> {
                int left = failures.merge(key, -1, Integer::sum);
                if (left >= 0) {
                    throw errors.get(key);
                }
                during.run();
                calls.add(key + "+" + step.by() + (context.cancelled() ? " cancelled" : ""));
                return step.by();
            });
        }

        @Override
        public void completed(String key, Move step, Outcome outcome) {
            if (key.equals(brokenOutcome)) {
                throw new IllegalStateException("cannot be taken over");
            }
            if (outcome.succeeded()) {
                actual.merge(key, 1, Integer::sum);
                log.add("moved " + key);
            } else {
                log.add("failed " + key + ": " + outcome.requireFailure().getMessage());
                log.add(outcome.requireFailure().kind() + " " + key);
            }
        }

        @Override
        public void abandoned(String key, Move step) {
            log.add("abandoned " + key);
        }

        @Override
        public Iterator<String> keys() {
            return new ArrayList<>(wanted.keySet()).iterator();
        }
    }
}
