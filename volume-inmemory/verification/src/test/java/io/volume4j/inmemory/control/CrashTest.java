package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The controller is killed at every point, started again, and must reach the same end as if nothing had happened, with
 * nothing leaked.
 */
class CrashTest {
    /** No scenario takes more writes or tasks than this; the tests fail if one does. */
    private static final int MANY = 400;

    /** What there is when the controller starts, and what a person does once it has settled. */
    record Scenario(String name, Consumer<ControlBench> given, Consumer<ControlBench> then) {
        static Scenario of(String name, Consumer<ControlBench> given) {
            return new Scenario(name, given, bench -> {});
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final Scenario PROVISIONED = Scenario.of(
            "a volume is made",
            bench -> bench.given(
                    Classes.storageClass("fast", "mem"),
                    claim("c").ofClass("fast").made()));

    private static final Scenario PROVISIONED_FOR_A_NODE = Scenario.of(
            "a volume is made for a node",
            bench -> bench.given(
                    Classes.storageClass(
                            "late", "mem", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                    Nodes.node("n1", Map.of()),
                    claim("c").ofClass("late").onNode("n1").made()));

    private static final Scenario PROVISIONING_UNCERTAIN =
            Scenario.of("a volume is made, and the answer is lost", bench -> {
                PROVISIONED.given().accept(bench);
                bench.plugin.faults().add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER));
            });

    private static final Scenario RETAINED = new Scenario(
            "a volume is kept when its claim goes",
            bench -> bench.given(volume("v").made(), claim("c").made()),
            bench -> bench.cluster.remove(key("c")));

    private static final Scenario DELETED = new Scenario(
            "a volume is deleted when its claim goes", PROVISIONED.given(), bench -> bench.cluster.remove(key("c")));

    private static final Scenario RECYCLED = new Scenario(
            "a volume is recycled when its claim goes",
            bench -> bench.given(
                    volume("v").policy(ReclaimPolicy.RECYCLE).made(), claim("c").made()),
            bench -> bench.cluster.remove(key("c")));

    static Stream<Scenario> all() {
        return Stream.of(
                Scenario.of(
                        "the smaller volume is bound",
                        bench -> bench.given(
                                volume("v").made(),
                                volume("w").size("5Gi").made(),
                                claim("c").made())),
                Scenario.of(
                        "a volume reserved by name is bound",
                        bench -> bench.given(
                                volume("v").size("5Gi").reservedFor("c").made(),
                                volume("w").made(),
                                claim("c").made())),
                Scenario.of(
                        "a requested volume is bound",
                        bench -> bench.given(
                                volume("v").made(), claim("c").volumeName("v").made())),
                Scenario.of(
                        "the default class makes a volume",
                        bench -> bench.given(
                                Classes.defaultClass("fast", "mem"),
                                claim("c").noClassSaid().made())),
                PROVISIONED,
                PROVISIONED_FOR_A_NODE,
                PROVISIONING_UNCERTAIN,
                Scenario.of("making a volume fails for good once", bench -> {
                    PROVISIONED.given().accept(bench);
                    bench.plugin.faults().add(Fault.on("provision").as(FaultKind.FINAL));
                }),
                RETAINED,
                DELETED,
                new Scenario(
                        "deleting is done, and the answer is lost",
                        bench -> {
                            PROVISIONED.given().accept(bench);
                            bench.plugin.faults().add(Fault.on("delete").as(FaultKind.UNCERTAIN_AFTER));
                        },
                        DELETED.then()),
                RECYCLED,
                new Scenario("a volume is recycled and bound again", RECYCLED.given(), bench -> {
                    bench.cluster.remove(key("c"));
                    bench.cluster.apply(claim("d").made());
                }),
                Scenario.of(
                        "of two volumes of a claim one is freed",
                        bench -> bench.given(
                                volume("v")
                                        .boundTo("c", "uid-c")
                                        .phase(VolumePhase.BOUND)
                                        .byController()
                                        .made(),
                                volume("w")
                                        .boundTo("c", "uid-c")
                                        .phase(VolumePhase.BOUND)
                                        .byController()
                                        .made(),
                                claim("c")
                                        .volumeName("v")
                                        .byController()
                                        .completed()
                                        .bound()
                                        .made())));
    }

    static Stream<Scenario> provisioning() {
        return Stream.of(PROVISIONED, PROVISIONED_FOR_A_NODE, PROVISIONING_UNCERTAIN);
    }

    @ParameterizedTest
    @MethodSource("all")
    void convergesAfterACrashBehindEveryWrite(Scenario scenario) {
        String expected = undisturbed(scenario);
        for (int write = 1; ; write++) {
            assertThat(write).as("writes of %s", scenario).isLessThan(MANY);
            ControlBench bench = new ControlBench();
            scenario.given().accept(bench);
            bench.crashAfterWrite(write).startAndSettle();
            scenario.then().accept(bench);
            bench.settle();
            if (!bench.crashed()) {
                break;
            }
            bench.startAndSettle();
            assertThat(bench.endState())
                    .as("%s, crash behind write %d", scenario, write)
                    .isEqualTo(expected);
            assertThat(bench.storage.violations()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void convergesAfterACrashBetweenAnyTwoTasks(Scenario scenario) {
        String expected = undisturbed(scenario);
        boolean finished = false;
        for (int tasks = 1; !finished; tasks++) {
            assertThat(tasks).as("tasks of %s", scenario).isLessThan(MANY);
            ControlBench bench = new ControlBench();
            scenario.given().accept(bench);
            int left = tasks - bench.start().runTasks(tasks);
            if (left > 0) {
                scenario.then().accept(bench);
                finished = left > bench.runTasks(left);
            }
            bench.kill();
            bench.startAndSettle();
            if (left == 0) {
                scenario.then().accept(bench);
                bench.settle();
            }
            assertThat(bench.endState())
                    .as("%s, crash after %d tasks", scenario, tasks)
                    .isEqualTo(expected);
            assertThat(bench.storage.violations()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("provisioning")
    void leaksNothingWhenTheClaimIsDeletedAtAnyPoint(Scenario scenario) {
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            assertThat(tasks).as("tasks of %s", scenario).isLessThan(MANY);
            ControlBench bench = new ControlBench();
            scenario.given().accept(bench);
            finished = bench.start().runTasks(tasks) < tasks;
            bench.cluster.remove(key("c"));
            bench.settle();
            assertThat(bench.endState())
                    .as("%s, deleted after %d tasks", scenario, tasks)
                    .isEmpty();
        }
    }

    @Test
    void leaksNothingWhenTheClaimIsDeletedAtAnyPointAndTheProcessDiesAtAnyLaterOne() {
        boolean deletedAtTheEnd = false;
        for (int before = 0; !deletedAtTheEnd; before += 3) {
            boolean finished = false;
            for (int after = 0; !finished; after += 2) {
                ControlBench bench = new ControlBench();
                PROVISIONING_UNCERTAIN.given().accept(bench);
                deletedAtTheEnd = bench.start().runTasks(before) < before;
                bench.cluster.remove(key("c"));
                finished = bench.runTasks(after) < after;
                bench.kill();
                bench.startAndSettle();
                assertThat(bench.endState())
                        .as("deleted after %d tasks, crash %d tasks later", before, after)
                        .isEmpty();
            }
        }
    }

    @Test
    void leaksNothingWhenTheClassGoesWhileAVolumeIsMadeAndComesBack() {
        ControlBench bench = new ControlBench();
        PROVISIONING_UNCERTAIN.given().accept(bench);
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT).times(2));
        bench.start().run();
        bench.kill();
        bench.cluster.remove(ObjectKey.storageClass("fast"));
        bench.cluster.remove(key("c"));

        bench.startAndSettle();
        assertThat(bench.told(key("c"))).as("no object confirms the intent").contains("ProvisioningFailed");

        bench.given(Classes.storageClass("fast", "mem")).settle();
        bench.cluster.remove(ObjectKey.storageClass("fast"));

        assertThat(bench.endState()).isEmpty();
        assertThat(bench.storage.calls()).extracting(call -> call.name()).contains("provision", "delete");
    }

    private static String undisturbed(Scenario scenario) {
        ControlBench bench = new ControlBench();
        scenario.given().accept(bench);
        bench.startAndSettle();
        scenario.then().accept(bench);
        bench.settle();
        return bench.endState();
    }
}
