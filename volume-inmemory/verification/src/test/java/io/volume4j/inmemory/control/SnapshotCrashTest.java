package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.SnapshotBench.SNAPSHOT;
import static io.volume4j.inmemory.control.SnapshotBench.apply;
import static io.volume4j.inmemory.control.SnapshotBench.cloned;
import static io.volume4j.inmemory.control.SnapshotBench.restored;
import static io.volume4j.inmemory.control.SnapshotBench.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The controller is killed at every point of a snapshot's life, started again, and must reach the same end as if nothing had
 * happened, with nothing leaked.
 */
class SnapshotCrashTest {
    /** No life takes more writes or tasks than this; the tests fail if one does. */
    private static final int MANY = 400;

    /** What a person asks for when the claim is there, and what once that has settled. */
    record Life(String name, Consumer<ControlBench> first, Consumer<ControlBench> then) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final Life CUT = new Life("cut", bench -> apply(bench, snapshot("quick")), bench -> {});
    private static final Life CUT_SLOWLY = new Life(
            "cut by a slow backend",
            bench -> {
                bench.storage.snapshotsUnfinished(3);
                apply(bench, snapshot("quick"));
            },
            bench -> {});
    private static final Life UNCERTAIN = new Life(
            "cut, and the answer is lost",
            bench -> {
                bench.plugin.faults().add(Fault.on("snapshot").as(FaultKind.UNCERTAIN_AFTER));
                apply(bench, snapshot("quick"));
            },
            bench -> {});

    static Stream<Life> lives() {
        return Stream.of(
                CUT,
                CUT_SLOWLY,
                UNCERTAIN,
                new Life("deleted", CUT.first(), bench -> bench.cluster.remove(SNAPSHOT)),
                new Life(
                        "deleted, and the answer is lost",
                        bench -> {
                            bench.plugin.faults().add(Fault.on("deleteSnapshot").as(FaultKind.UNCERTAIN_AFTER));
                            apply(bench, snapshot("quick"));
                        },
                        bench -> bench.cluster.remove(SNAPSHOT)),
                new Life(
                        "retained",
                        bench -> apply(bench, snapshot("lasting")),
                        bench -> bench.cluster.remove(SNAPSHOT)),
                new Life("restored", CUT.first(), bench -> apply(bench, restored("1Gi"))),
                new Life("cloned", bench -> apply(bench, cloned()), bench -> {}));
    }

    static Stream<Life> making() {
        return Stream.of(CUT, CUT_SLOWLY, UNCERTAIN);
    }

    @ParameterizedTest
    @MethodSource("lives")
    void convergesAfterACrashBehindEveryWrite(Life life) {
        String expected = undisturbed(life);
        for (int write = 1; ; write++) {
            assertThat(write).as("writes of %s", life).isLessThan(MANY);
            ControlBench bench = SnapshotBench.settled();
            life.first().accept(bench);
            bench.crashAfterWrite(write).settle();
            if (bench.crashed()) {
                bench.startAndSettle();
            }
            life.then().accept(bench);
            bench.settle();
            if (bench.crashed()) {
                bench.startAndSettle();
            }
            assertThat(bench.endState())
                    .as("%s, crash behind write %d", life, write)
                    .isEqualTo(expected);
            assertThat(bench.storage.violations()).isEmpty();
            if (!bench.everCrashed()) {
                break;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("lives")
    void convergesAfterACrashBetweenAnyTwoTasks(Life life) {
        String expected = undisturbed(life);
        boolean finished = false;
        for (int tasks = 1; !finished; tasks++) {
            assertThat(tasks).as("tasks of %s", life).isLessThan(MANY);
            ControlBench bench = SnapshotBench.settled();
            life.first().accept(bench);
            int left = tasks - bench.runTasks(tasks);
            if (left > 0) {
                life.then().accept(bench);
                finished = left > bench.runTasks(left);
            }
            bench.kill();
            bench.startAndSettle();
            if (left == 0) {
                life.then().accept(bench);
                bench.settle();
            }
            assertThat(bench.endState())
                    .as("%s, crash after %d tasks", life, tasks)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("making")
    void leaksNothingWhenTheSnapshotIsDeletedAtAnyPoint(Life life) {
        String expected = SnapshotBench.settled().endState();
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            assertThat(tasks).as("tasks of %s", life).isLessThan(MANY);
            ControlBench bench = SnapshotBench.settled();
            life.first().accept(bench);
            finished = bench.runTasks(tasks) < tasks;
            bench.cluster.remove(SNAPSHOT);
            bench.settle();
            assertThat(bench.endState())
                    .as("%s, deleted after %d tasks", life, tasks)
                    .isEqualTo(expected);
        }
    }

    @Test
    void leaksNothingWhenTheSnapshotIsDeletedAtAnyPointAndTheProcessDiesAtAnyLaterOne() {
        String expected = SnapshotBench.settled().endState();
        boolean deletedAtTheEnd = false;
        for (int before = 0; !deletedAtTheEnd; before += 3) {
            boolean finished = false;
            for (int after = 0; !finished; after += 2) {
                ControlBench bench = SnapshotBench.settled();
                UNCERTAIN.first().accept(bench);
                deletedAtTheEnd = bench.runTasks(before) < before;
                bench.cluster.remove(SNAPSHOT);
                finished = bench.runTasks(after) < after;
                bench.kill();
                bench.startAndSettle();
                assertThat(bench.endState())
                        .as("deleted after %d tasks, crash %d tasks later", before, after)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aSnapshotThatIsDeletedWhileAClaimIsMadeFromItGoesInTheEndAndNothingWaitsForever() {
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            ControlBench bench = SnapshotBench.settled();
            CUT.first().accept(bench);
            bench.settle();
            apply(bench, restored("1Gi"));
            finished = bench.runTasks(tasks) < tasks;
            bench.cluster.remove(SNAPSHOT);
            bench.settle();
            assertThat(bench.has(SNAPSHOT)).as("deleted after %d tasks", tasks).isFalse();
            assertThat(bench.storage.snapshotHandles()).isEmpty();
            assertThat(bench.storage.violations()).isEmpty();
        }
    }

    @Test
    void aClaimThatIsDeletedWhileItIsCutGoesInTheEndAndNothingWaitsForever() {
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            ControlBench bench = SnapshotBench.settled();
            CUT_SLOWLY.first().accept(bench);
            finished = bench.runTasks(tasks) < tasks;
            bench.cluster.remove(SnapshotBench.DATA);
            bench.settle();
            assertThat(bench.has(SnapshotBench.DATA))
                    .as("deleted after %d tasks", tasks)
                    .isFalse();
            assertThat(snapshot(bench).status().ready()
                            || snapshot(bench).status().error() != null)
                    .isTrue();
        }
    }

    @Test
    void aClaimThatIsDeletedWhileItIsClonedGoesInTheEndAndNothingWaitsForever() {
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            ControlBench bench = SnapshotBench.settled();
            apply(bench, cloned());
            finished = bench.runTasks(tasks) < tasks;
            bench.cluster.remove(SnapshotBench.DATA);
            bench.settle();
            assertThat(bench.has(SnapshotBench.DATA))
                    .as("deleted after %d tasks", tasks)
                    .isFalse();
        }
    }

    @Test
    void whatIsDestroyedBeforeItWasReadyIsNotCutAgainAfterACrash() {
        for (int write = 1; ; write++) {
            assertThat(write).isLessThan(MANY);
            ControlBench bench = SnapshotBench.settled();
            bench.storage.snapshotsUnfinished(1000);
            apply(bench, snapshot("quick"));
            bench.settle();
            bench.cluster.remove(SNAPSHOT);
            bench.crashAfterWrite(write).settle();
            if (!bench.crashed()) {
                break;
            }
            bench.startAndSettle();
            List<String> calls = SnapshotBench.calls(bench, "snapshot", "deleteSnapshot");
            assertThat(calls.subList(calls.indexOf("deleteSnapshot"), calls.size()))
                    .as("calls after the deletion, crash behind write %d", write)
                    .containsOnly("deleteSnapshot");
        }
    }

    @Test
    void leaksNothingWhenTheClassGoesWhileTheSnapshotIsMade() {
        ControlBench bench = SnapshotBench.settled();
        String expected = bench.endState();
        UNCERTAIN.first().accept(bench);
        bench.plugin.faults().add(Fault.on("snapshot").as(FaultKind.TRANSIENT).times(2));
        bench.run();
        bench.kill();
        bench.cluster.remove(new ObjectKey(Kind.VOLUME_SNAPSHOT_CLASS, "", "quick"));
        bench.cluster.remove(SNAPSHOT);

        bench.startAndSettle();

        assertThat(bench.endState()).isEqualTo(expected);
    }

    private static String undisturbed(Life life) {
        ControlBench bench = SnapshotBench.settled();
        life.first().accept(bench);
        bench.settle();
        life.then().accept(bench);
        bench.settle();
        return bench.endState();
    }
}
