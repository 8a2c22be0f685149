package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.testing.ScarceThreads;
import io.volume4j.core.testing.ScarceThreads.Shortage;
import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperationExecutorTest {
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private final ManualLoop loop = new ManualLoop();
    private final ManualWorkers workers = new ManualWorkers();
    private OperationExecutor executor =
            new OperationExecutor(loop, workers, new OperationExecutor.Limits(8, 100, 100));
    private final List<String> ended = new ArrayList<>();

    @Test
    void aCallForWhichThereIsNoThreadEndsAtOnceAndGivesItsPlaceBack() {
        executor = new OperationExecutor(
                loop,
                call -> {
                    throw new Error("unable to create native thread");
                },
                new OperationExecutor.Limits(8, 100, 100));
        submit("plugin", 1, 2);
        loop.run();

        assertThat(ended)
                .containsExactly(
                        "plugin-0 written off",
                        "plugin-0 returned late",
                        "plugin-1 written off",
                        "plugin-1 returned late");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 0, 0));
        loop.advance(DEADLINE);
        assertThat(ended).as("once each").hasSize(4);
    }

    static Stream<Shortage> shortages() {
        return Shortage.all(4);
    }

    /** Whatever an executor throws, and whatever it does with the call all the same. */
    @ParameterizedTest
    @MethodSource("shortages")
    void everyCallIsToldOnceAndLaterCallsAreMadeWhenThereAreThreadsAgain(Shortage shortage) {
        ScarceThreads scarce = new ScarceThreads(workers, shortage);
        executor = new OperationExecutor(loop, scarce, new OperationExecutor.Limits(2, 100, 100));
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "call-" + i;
            executor.submit(
                    name,
                    1,
                    new Call("plugin-" + i % 2, 1, DEADLINE, context -> made.add(name)),
                    progress -> {},
                    new Told(name));
            loop.run();
            workers.runAll();
            loop.run();
        }

        assertThat(made)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThanOrEqualTo(8 - shortage.count())
                .contains("call-7");
        assertThat(ended).doesNotHaveDuplicates();
        assertThat(ended.stream().filter(each -> !each.endsWith("returned late")))
                .hasSize(8);
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 0, 0));
        loop.advance(DEADLINE);
        assertThat(ended.stream().filter(each -> !each.endsWith("returned late")))
                .hasSize(8);
    }

    /** As a pool does whose first thread cannot be started. */
    @Test
    void aCallThatWasKeptThoughItWasRefusedIsNotMadeLater() {
        executor = new OperationExecutor(
                loop,
                call -> {
                    workers.execute(call);
                    throw new Error("unable to create native thread");
                },
                new OperationExecutor.Limits(8, 100, 100));
        List<String> made = new ArrayList<>();
        Call call = new Call("plugin", 1, DEADLINE, context -> made.add("made"));
        executor.submit("a", 1, call, progress -> {}, new Told("a"));
        loop.run();
        runAllOnce();

        assertThat(made).isEmpty();
        assertThat(ended).containsExactly("a written off", "a returned late");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 0, 0));
    }

    @Test
    void oneLaneGetsNoMoreThanHalfOfThePlacesForAll() {
        submit("stuck", 100, 20);

        assertThat(workers.waiting()).isEqualTo(4);

        submit("healthy", 100, 3);
        assertThat(workers.waiting()).isEqualTo(4 + 3);
    }

    @Test
    void callsThatTakeLongDoNotKeepTheirPlaceFromOthers() {
        for (String lane : List.of("stuck-1", "stuck-2")) {
            submit(lane, 4, 4);
        }
        hangAll();
        submit("healthy", 4, 1);
        assertThat(workers.waiting()).as("all places are taken").isZero();

        loop.advance(Duration.ofSeconds(1));
        assertThat(workers.waiting()).isEqualTo(1);
        workers.runAll();
        loop.run();
        assertThat(ended).containsExactly("healthy-0 done");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(8, 0, 0));
    }

    @Test
    void aCallThatTakesLongStillCountsInItsOwnLane() {
        submit("stuck", 2, 3);
        hangAll();
        loop.advance(Duration.ofMinutes(5));

        assertThat(workers.waiting()).as("the lane runs two at a time").isZero();
    }

    @Test
    void aCallThatTakesLongIsWrittenOffAtItsOwnDeadline() {
        submit("stuck", 2, 1);
        Runnable late = workers.hang();
        loop.advance(DEADLINE.minusMillis(1));
        assertThat(ended).isEmpty();

        loop.advance(Duration.ofMillis(1));
        assertThat(ended).containsExactly("stuck-0 written off");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 1, 0));

        late.run();
        loop.run();
        assertThat(ended).containsExactly("stuck-0 written off", "stuck-0 returned late");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 0, 0));
    }

    @Test
    void saysWhatACallThatWaitsIsWaitingFor() {
        submit("full", 1, 2);
        assertThat(executor.waitsFor("full-0", "full-0")).as("it runs").isEmpty();
        assertThat(executor.waitsFor("full-1", "full-1"))
                .isEqualTo("the limit of concurrent calls of full is reached: 1");

        submit("busy", 100, 20);
        assertThat(executor.waitsFor("busy-19", "busy-19")).isEqualTo("the limit of concurrent calls is reached");
    }

    @Test
    void saysThatALaneHasTooManyCallsThatHaveNotReturned() {
        executor = new OperationExecutor(loop, workers, new OperationExecutor.Limits(8, 1, 1));
        submit("stuck", 1, 2);
        hangAll();
        loop.advance(DEADLINE);

        assertThat(executor.waitsFor("stuck-1", "stuck-1"))
                .isEqualTo("1 calls of stuck have not returned since their deadlines; no more are made until one does");
    }

    @Test
    void aPartKeepsToItsOwnLimitWithinTheLanes() {
        submit("plugin", 3, "gold", 2, 5);
        assertThat(workers.waiting()).isEqualTo(2);

        submit("plugin", 3, 5);
        assertThat(workers.waiting()).as("the lane takes three of both").isEqualTo(3);
        assertThat(executor.waitsFor("plugin-4", "plugin-4"))
                .isEqualTo("the limit of concurrent calls of plugin is reached: 3");
    }

    @Test
    void callsOfAFullPartArePassedByOthersOfTheLane() {
        submit("plugin", 3, "gold", 1, 3);
        submit("plugin", 3, "silver", 1, 3);
        submit("plugin", 3, 1);

        runAllOnce();
        assertThat(ended).containsExactly("plugin-gold-0 done", "plugin-silver-0 done", "plugin-0 done");
    }

    @Test
    void saysThatTheClassOfACallIsFullAndNotItsPlugin() {
        submit("plugin", 3, "gold", 1, 2);

        assertThat(executor.waitsFor("plugin-gold-1", "plugin-gold-1"))
                .isEqualTo("the limit of concurrent calls of plugin for gold is reached: 1");
    }

    @Test
    void theCallThatWaitedLongestGoesFirstAmongThoseWhosePartHasAPlace() {
        submit("plugin", 2, "gold", 1, 2);
        submit("plugin", 2, 3);
        List<Runnable> returns = new ArrayList<>(List.of(workers.hang(), workers.hang()));
        assertThat(workers.waiting()).isZero();

        returns.remove(0).run();
        loop.run();
        runAllOnce();
        assertThat(ended).containsExactly("plugin-gold-0 done", "plugin-gold-1 done");
    }

    @Test
    void everyCallOfALimitedPartRunsHoweverManyOthersCome() {
        submit("plugin", 2, "gold", 1, 5);
        for (int round = 0; round < 20; round++) {
            submit("plugin", 2, 3);
            runAllOnce();
        }

        assertThat(ended).contains("plugin-gold-0 done", "plugin-gold-4 done", "plugin-0 done", "plugin-2 done");
    }

    @Test
    void aCallOfAPartThatWasWrittenOffGivesBackBothPlaces() {
        submit("plugin", 1, "gold", 1, 2);
        workers.hang();
        loop.advance(DEADLINE);

        assertThat(ended).containsExactly("plugin-gold-0 written off");
        assertThat(workers.waiting()).as("the next one").isEqualTo(1);
    }

    @Test
    void aCallOfAPartIsNotMadeOnceNoPodWantsIt() {
        submit("plugin", 3, "gold", 1, 3);
        executor.cancel("plugin-gold-1", "plugin-gold-1");
        loop.run();
        runAllOnce();
        runAllOnce();

        assertThat(ended).contains("plugin-gold-0 done", "plugin-gold-2 done").doesNotContain("plugin-gold-1 done");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 0, 0));
    }

    @Test
    void volumesTakeTurnsHoweverManyCallsOneOfThemHas() {
        submitOf("a", 4, 1);
        submitOf("b", 2, 1);
        submitOf("c", 1, 1);
        for (int i = 0; i < 7; i++) {
            runAllOnce();
        }

        assertThat(ended)
                .containsExactly("a-0 done", "a-1 done", "b-0 done", "c-0 done", "a-2 done", "b-1 done", "a-3 done");
    }

    @Test
    void oneVolumeNeverHasAllPlacesOfItsLane() {
        submitOf("shared", 10, 4);
        assertThat(workers.waiting()).isEqualTo(3);
        assertThat(executor.waitsFor("shared", "shared-3"))
                .isEqualTo("the limit of concurrent calls of plugin for one volume is reached: 3");
        hangAll();
        submitOf("other", 1, 4);

        assertThat(workers.waiting()).isEqualTo(1);
    }

    /** Storage that does not answer, and a call that the plugin itself gives up just before its deadline. */
    @Test
    void volumesWhoseLastCallHungGoLastAndInHalfOfThePlaces() {
        for (String volume : List.of("x", "y", "z")) {
            hangUntilWrittenOff(volume, 4);
        }
        for (String volume : List.of("x", "y", "z")) {
            submitOf(volume, 1, 4);
        }
        assertThat(workers.waiting()).isEqualTo(2);
        assertThat(executor.waitsFor("z", "z-0"))
                .isEqualTo("its last call hung, and the limit of concurrent calls of plugin for such volumes is"
                        + " reached: 2");
        hangAll();
        submitOf("healthy", 1, 4);
        submitOf("hale", 1, 4);

        assertThat(workers.waiting()).isEqualTo(2);
        runAllOnce();
        assertThat(ended).endsWith("healthy-0 done", "hale-0 done");
    }

    @Test
    void aVolumeIsNoLongerSuspectOnceACallOfItEndsInTime() {
        hangUntilWrittenOff("x", 1);
        submitOf("x", 2, 1);
        runAllOnce();
        ended.clear();

        submitOf("y", 1, 1);
        runAllOnce();
        runAllOnce();
        assertThat(ended).containsExactly("x-1 done", "y-0 done");
    }

    @Test
    void suspectsAreTriedEvenWhileTheLaneIsNeverFree() {
        hangUntilWrittenOff("x", 1);
        submitOf("busy", 1, 1);
        submitOf("x", 1, 1);
        for (int i = 0; i < 40; i++) {
            submitOf("healthy-" + i, 1, 1);
        }
        for (int i = 0; i < 20; i++) {
            runAllOnce();
        }

        assertThat(ended).contains("x-0 done");
    }

    /** Each of a thousand dead volumes is tried again and again; a healthy one that comes then waits for no second of them. */
    @Test
    void aThousandVolumesThatHangDelayAHealthyOneByNoMoreThanOneDeadline() {
        executor = new OperationExecutor(loop, workers, new OperationExecutor.Limits(64, 2_000, 2_000));
        for (int i = 0; i < 1_000; i++) {
            submitOf("dead-" + i, 1, 10);
        }
        while (executor.load().queued() > 0) {
            hangAll();
            loop.advance(DEADLINE);
        }
        hangAll();
        loop.advance(DEADLINE);
        for (int i = 0; i < 1_000; i++) {
            submitOf("dead-" + i, 1, 10);
        }
        hangAll();
        ended.clear();
        submitOf("healthy", 1, 10);
        runAllOnce();

        assertThat(ended).containsExactly("healthy-0 done");
    }

    private void hangUntilWrittenOff(String volume, int limit) {
        submitOf(volume, 1, limit);
        hangAll();
        loop.advance(DEADLINE);
        assertThat(ended).contains(volume + "-0 written off");
    }

    private void submitOf(String volume, int calls, int limit) {
        for (int i = 0; i < calls; i++) {
            String name = volume + "-" + i;
            Call call = new Call("plugin", limit, DEADLINE, context -> null);
            executor.submit(volume, name, 1, call, Instrumentation.Step.none(), progress -> {}, new Told(name));
        }
    }

    private void submit(String lane, int limit, String part, int partLimit, int calls) {
        for (int i = 0; i < calls; i++) {
            String name = lane + "-" + part + "-" + i;
            Call call = new Call(lane, limit, new Call.Part(part, partLimit), DEADLINE, context -> null);
            executor.submit(name, 1, call, progress -> {}, new Told(name));
        }
    }

    private void submit(String lane, int limit, int calls) {
        for (int i = 0; i < calls; i++) {
            String name = lane + "-" + i;
            executor.submit(name, 1, new Call(lane, limit, DEADLINE, context -> null), progress -> {}, new Told(name));
        }
    }

    /** The calls that have been started, each to its end. */
    private void runAllOnce() {
        for (int calls = workers.waiting(); calls > 0; calls--) {
            workers.runNext();
        }
        loop.run();
    }

    private void hangAll() {
        while (workers.waiting() > 0) {
            workers.hang();
        }
    }

    private final class Told implements OperationExecutor.Reports {
        private final String name;
        private boolean writtenOff;

        Told(String name) {
            this.name = name;
        }

        @Override
        public void ended(Outcome outcome) {
            writtenOff = outcome.failure() != null;
            ended.add(name + (writtenOff ? " written off" : " done"));
        }

        @Override
        public void returned() {
            if (writtenOff) {
                ended.add(name + " returned late");
            }
        }
    }
}
