package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From a claim to its volume and back, as a whole. */
class ClaimLifeTest {
    private static final int MANY = 10;

    private final ControlBench bench = new ControlBench();

    @Test
    void bindsAClaimToTheSmallestVolumeThatFits() {
        bench.given(
                        volume("big").size("10Gi").made(),
                        volume("small").made(),
                        claim("c").made())
                .startAndSettle();

        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("small");
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.volume("small").status().phase()).isEqualTo(VolumePhase.BOUND);
        assertThat(bench.volume("big").status().phase()).isEqualTo(VolumePhase.AVAILABLE);
        assertThat(bench.writes())
                .containsExactly(
                        "patch PersistentVolume//small",
                        "patchStatus PersistentVolume//small",
                        "patch PersistentVolumeClaim/ns/c",
                        "patchStatus PersistentVolumeClaim/ns/c");
    }

    @Test
    void makesAVolumeForAClaimAndDeletesItWithTheClaim() {
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("c").ofClass("fast").made())
                .startAndSettle();

        PersistentVolume made = bench.volume("pvc-uid-c");
        assertThat(made.status().phase()).isEqualTo(VolumePhase.BOUND);
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("pvc-uid-c");
        assertThat(bench.claim("c").metadata().finalizers()).isEmpty();
        assertThat(bench.storage.volume("pvc-uid-c")).isPresent();

        bench.cluster.remove(key("c"));
        bench.settle();

        assertThat(bench.volumes()).isEmpty();
        assertThat(bench.storage.volumes()).isEmpty();
    }

    @Test
    void aClaimThatFailsWaitsLongerEachTimeAndKeepsNoOtherWaiting() {
        bench.plugin.faults().add(Fault.on("provision").of("pvc-uid-bad").always());
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("bad").ofClass("fast").made())
                .start();
        List<Integer> triedAt = new ArrayList<>();
        for (int tenth = 0; triedAt.size() < 7; tenth++) {
            assertThat(tenth).as("tenths of a second, tried at %s", triedAt).isLessThan(3_000);
            bench.loop.advance(Duration.ofMillis(100));
            if (calls("provision pvc-uid-bad") > triedAt.size()) {
                triedAt.add(tenth);
            }
        }

        for (int i = 2; i < triedAt.size(); i++) {
            assertThat(triedAt.get(i) - triedAt.get(i - 1))
                    .as("each wait is longer than the one before: %s", triedAt)
                    .isGreaterThan(triedAt.get(i - 1) - triedAt.get(i - 2));
        }
        int before = calls("provision pvc-uid-bad");

        bench.given(claim("good").ofClass("fast").made()).run();

        assertThat(bench.claim("good").spec().volumeName()).isEqualTo("pvc-uid-good");
        assertThat(calls("provision pvc-uid-bad")).as("it waits on").isEqualTo(before);
    }

    /** The longest pause after a failure is two minutes. */
    @Test
    void aNodeThatTheSchedulerChoosesNextIsTriedAtOnce() {
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.EXHAUSTED).always());
        bench.given(
                Classes.storageClass("late", "mem", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                claim("c").ofClass("late").made());
        for (int node = 0; node < MANY; node++) {
            bench.given(Nodes.node("n" + node, Map.of()));
        }
        bench.start();
        for (int node = 0; node < MANY; node++) {
            bench.patch(
                    key("c"), false, FieldChange.set("n" + node, "metadata", "annotations", WellKnown.SELECTED_NODE));
            bench.loop.advance(Duration.ofMillis(100));
            assertThat(calls("provision pvc-uid-c")).isEqualTo(node + 1);
            assertThat(bench.claim("c").metadata().annotation(WellKnown.SELECTED_NODE))
                    .as("the scheduler chooses again")
                    .isEmpty();
        }
    }

    /** The pause after an infeasible failure is five minutes. */
    @Test
    void aClassThatReplacesTheOneThatThePluginRefusedIsTriedAtOnce() {
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.INFEASIBLE));
        StorageClass wrong = Classes.storageClass("fast", "mem");
        bench.given(wrong, claim("c").ofClass("fast").made()).start();
        bench.loop.advance(Duration.ofSeconds(10));
        assertThat(calls("provision pvc-uid-c")).isEqualTo(1);

        bench.cluster.remove(wrong.key());
        bench.manifests("""
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, uid: uid-right},
                 provisioner: mem, parameters: {good: "yes"}}
                """);
        bench.loop.advance(Duration.ofSeconds(1));
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void otherAttributesThanThoseThatThePluginRefusedAreTriedAtOnce() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.MODIFY));
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.INFEASIBLE));
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("c").ofClass("fast").attributesClass("gold").made())
                .manifests("""
                        {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: gold}, driverName: mem}
                        ---
                        {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: silver}, driverName: mem}
                        """)
                .start();
        bench.loop.advance(Duration.ofSeconds(10));
        assertThat(calls("provision pvc-uid-c")).isEqualTo(1);

        bench.patch(key("c"), false, FieldChange.set("silver", "spec", "volumeAttributesClassName"));
        bench.loop.advance(Duration.ofSeconds(1));
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    private int calls(String text) {
        return (int) bench.storage.calls().stream()
                .filter(call -> call.text().equals(text))
                .count();
    }

    @Test
    void anIdleControllerIsQuiet() {
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("c").ofClass("fast").made())
                .startAndSettle();
        int writes = bench.writes().size();

        bench.settle().settle();

        assertThat(bench.writes()).hasSize(writes);
        assertThat(bench.started().quiet()).isTrue();
        assertThat(bench.explain(key("c")).settled()).isTrue();
        assertThat(bench.explain(ObjectKey.volume("pvc-uid-c")).settled()).isTrue();
    }

    @Test
    void anIdleControllerWakesUpOnceASecondAtMost() {
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("c").ofClass("fast").made())
                .startAndSettle();

        int tasks = bench.loop.advance(Duration.ofMinutes(10), Integer.MAX_VALUE);

        assertThat(tasks).isLessThanOrEqualTo(600);
    }
}
