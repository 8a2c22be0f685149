package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.Modifier.ModifyRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A claim that asks for other attributes gets them, one class after the other; see docs/expansion.md. */
class AttributesTest {
    private final ControlBench bench = bound(new ControlBench());

    private static ControlBench bound(ControlBench bench) {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.EXPAND, ControllerFeature.MODIFY));
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        GivenClaim.claim("c").ofClass("fast").made())
                .manifests("""
                        {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: gold},
                         driverName: mem, parameters: {iops: "9000"}}
                        ---
                        {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: silver},
                         driverName: mem, parameters: {iops: "500"}}
                        ---
                        {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: other},
                         driverName: other.example.com, parameters: {}}
                        """)
                .startAndSettle();
        return bench;
    }

    private static void ask(ControlBench bench, String name) {
        bench.patch(
                key("c"),
                false,
                name.isEmpty()
                        ? FieldChange.remove("spec", "volumeAttributesClassName")
                        : FieldChange.set(name, "spec", "volumeAttributesClassName"));
    }

    private void ask(String name) {
        ask(bench, name);
    }

    private static String current(ControlBench bench) {
        return bench.claim("c").status().currentVolumeAttributesClassName();
    }

    /** Status and target of the change, {@code -} for none. */
    private static String change(ControlBench bench) {
        Map<?, ?> status = (Map<?, ?>) bench.claim("c").unmodeled().document().getOrDefault("status", Map.of());
        return status.get("modifyVolumeStatus") instanceof Map<?, ?> change
                ? change.get("status") + " " + change.get("targetVolumeAttributesClassName")
                : "-";
    }

    /** The throughputs that the backend was asked for, in order. */
    private List<String> asked() {
        return bench.plugin.calls().stream()
                .filter(call -> call.name().equals("modify"))
                .map(call -> ((ModifyRequest) call.request()).parameters().get("iops"))
                .map(String::valueOf)
                .toList();
    }

    @Test
    void areAppliedAndThenWrittenToTheVolumeAndTheClaim() {
        ask("gold");
        bench.settle();

        assertThat(bench.storage.volume("pvc-uid-c").orElseThrow().parameters()).containsEntry("iops", "9000");
        assertThat(bench.volume("pvc-uid-c").spec().volumeAttributesClassName()).isEqualTo("gold");
        assertThat(current(bench)).isEqualTo("gold");
        assertThat(change(bench)).isEqualTo("-");
        assertThat(bench.told(key("c"))).contains("VolumeModifySuccessful");
    }

    @Test
    void thatMayHaveBeenAppliedAreFinishedBeforeOthersAreBegunWith() {
        bench.plugin
                .faults()
                .add(Fault.on("modify").as(FaultKind.UNCERTAIN_AFTER).times(2));
        ask("gold");
        bench.run();
        assertThat(change(bench)).isEqualTo("InProgress gold");
        ask("silver");
        bench.settle();

        assertThat(asked()).containsExactly("9000", "9000", "9000", "500");
        assertThat(current(bench)).isEqualTo("silver");
    }

    @Test
    void thatWereUnderWayWhenTheProcessDiedAreFinishedFirst() {
        bench.plugin.faults().add(Fault.on("modify").as(FaultKind.TRANSIENT));
        ask("gold");
        bench.run();
        bench.kill();
        ask("silver");
        bench.startAndSettle();

        assertThat(asked()).containsExactly("9000", "9000", "500");
        assertThat(current(bench)).isEqualTo("silver");
    }

    @Test
    void thatTheBackendRefusesAreGivenUpForOthersAtOnce() {
        bench.plugin.faults().add(Fault.on("modify").as(FaultKind.INFEASIBLE));
        ask("gold");
        bench.run();
        assertThat(change(bench)).isEqualTo("Infeasible gold");
        assertThat(bench.told(key("c"))).contains("VolumeModifyFailed");
        ask("silver");
        bench.settle();

        assertThat(asked()).containsExactly("9000", "500");
        assertThat(current(bench)).isEqualTo("silver");
    }

    @Test
    void thatWereRefusedAreForgottenWhenTheClaimAsksForNoneAnyMore() {
        bench.plugin.faults().add(Fault.on("modify").as(FaultKind.INFEASIBLE).times(9));
        ask("gold");
        bench.run();
        ask("");
        bench.settle();

        assertThat(change(bench)).isEqualTo("-");
        assertThat(current(bench)).isEmpty();
    }

    @Test
    void ofAClassThatIsMissingWaitForIt() {
        ask("bronze");
        bench.settle();
        assertThat(change(bench)).isEqualTo("Pending bronze");
        assertThat(asked()).isEmpty();

        bench.manifests("""
                {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: bronze},
                 driverName: mem, parameters: {iops: "7"}}
                """).settle();
        assertThat(current(bench)).isEqualTo("bronze");
    }

    @Test
    void ofAnotherDriversClassAreNotApplied() {
        ask("other");
        bench.settle();

        assertThat(asked()).isEmpty();
        assertThat(bench.told(key("c"))).contains("VolumeModifyWaits");
    }

    @Test
    void convergeAfterACrashBehindEveryWrite() {
        for (int write = 1; write < 40; write++) {
            ControlBench other = bound(new ControlBench());
            ask(other, "gold");
            other.crashAfterWrite(write).settle();
            boolean crashed = other.crashed();
            if (crashed) {
                other.startAndSettle();
            }
            assertThat(current(other)).as("crash behind write %d", write).isEqualTo("gold");
            assertThat(change(other)).isEqualTo("-");
            assertThat(other.cluster.get(new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", "gold")))
                    .isPresent();
            if (!crashed) {
                assertThat(write).isGreaterThan(2);
                return;
            }
        }
        throw new AssertionError("too many writes");
    }
}
