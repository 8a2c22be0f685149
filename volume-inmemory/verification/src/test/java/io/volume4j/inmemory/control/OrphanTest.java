package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of storage that nothing in the cluster tells of; see docs/decisions/008-orphans.md. */
class OrphanTest {
    private static final int MANY = 400;

    private final ControlBench bench = new ControlBench();

    /** A user removes the finalizer and the claim, whatever is under way. */
    private static void removeByForce(ControlBench bench) {
        bench.patch(key("c"), false, FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.cluster.remove(key("c"));
    }

    private static ControlBench provisioning(boolean answerLost) {
        ControlBench bench = new ControlBench();
        bench.given(
                Classes.storageClass("fast", "mem"), claim("c").ofClass("fast").made());
        if (answerLost) {
            bench.plugin
                    .faults()
                    .add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER).times(3));
        }
        return bench;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsLeftOfWhatWasMadeForAClaimThatIsRemovedByForceAtAnyPoint(boolean answerLost) {
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            assertThat(tasks).isLessThan(MANY);
            ControlBench bench = provisioning(answerLost);
            finished = bench.start().runTasks(tasks) < tasks;
            removeByForce(bench);
            bench.settle();
            assertThat(bench.endState()).as("removed after %d tasks", tasks).isEmpty();
        }
    }

    /** The controller restores the finalizer, so that the claim stays as the record of what is being made, whichever process dies. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsLeftWhenTheFinalizerIsTakenAwayAndTheClaimIsRemovedWhileNoControllerRuns(boolean answerLost) {
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            assertThat(tasks).isLessThan(MANY);
            ControlBench bench = provisioning(answerLost);
            finished = bench.start().runTasks(tasks) < tasks;
            bench.patch(key("c"), false, FieldChange.set(List.of(), "metadata", "finalizers"));
            bench.run();
            bench.kill();
            bench.cluster.remove(key("c"));
            bench.startAndSettle();
            assertThat(bench.endState())
                    .as("finalizer taken away after %d tasks", tasks)
                    .isEmpty();
        }
    }

    @Test
    void whatACallSaysOfAClaimThatIsGoneIsStoredAtOnce() {
        ControlBench bench = provisioning(true);
        bench.start().run();
        assertThat(bench.storage.volumes()).hasSize(1);
        removeByForce(bench);
        bench.run();
        bench.kill();
        bench.startAndSettle();

        assertThat(bench.endState())
                .as("no pause between the removal and the record")
                .isEmpty();
    }

    @Test
    void whatWasAdoptedIsDeletedAlsoIfTheProcessDiesBehindAnyLaterWrite() {
        boolean crashed = true;
        for (int write = 1; crashed; write++) {
            assertThat(write).isLessThan(MANY);
            ControlBench bench = provisioning(true);
            bench.start().run();
            assertThat(bench.storage.volumes()).hasSize(1);
            removeByForce(bench);
            bench.crashAfterWrite(write).settle();
            crashed = bench.crashed();
            if (crashed) {
                bench.startAndSettle();
            }
            assertThat(bench.endState()).as("crash behind write %d", write).isEmpty();
        }
    }

    @Test
    void whatAClassKeepsIsKeptForThePeople() {
        bench.given(
                Classes.storageClass("kept", "mem", ReclaimPolicy.RETAIN, VolumeBindingMode.IMMEDIATE),
                claim("c").ofClass("kept").made());
        bench.plugin
                .faults()
                .add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER).times(3));
        bench.start().run();
        removeByForce(bench);
        bench.settle();

        assertThat(bench.volume("pvc-uid-c").status().phase()).isEqualTo(VolumePhase.RELEASED);
        assertThat(bench.storage.volumes()).hasSize(1);
    }

    /** Whether the call's answer or only the backend's list shows the storage. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsKeptHasTheModesOfItsClaim(boolean answerLost) {
        bench.given(
                Classes.storageClass("kept", "mem", ReclaimPolicy.RETAIN, VolumeBindingMode.IMMEDIATE),
                claim("c")
                        .ofClass("kept")
                        .block()
                        .modes(AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_ONCE)
                        .made());
        if (answerLost) {
            bench.plugin
                    .faults()
                    .add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER).times(3));
        }
        bench.cluster.fail(
                ClusterFault.on(ClusterVerb.CREATE).of(Kind.PERSISTENT_VOLUME).times(1));
        bench.start().run();
        assertThat(bench.volumes()).isEmpty();
        removeByForce(bench);
        bench.settle();

        PersistentVolume.Spec kept = bench.volume("pvc-uid-c").spec();
        assertThat(kept.accessModes()).containsExactly(AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_ONCE);
        assertThat(kept.volumeMode()).isEqualTo(VolumeMode.BLOCK);
    }

    @Test
    void aVolumeThatCannotBeStoredHoldsUpNoOther() {
        bench.given(
                Classes.storageClass("fast", "mem"),
                claim("c").ofClass("fast").made(),
                claim("d").ofClass("fast").made());
        bench.plugin
                .faults()
                .add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER).times(6));
        bench.start().run();
        assertThat(bench.storage.volumes()).hasSize(2);
        bench.cluster.fail(ClusterFault.on(ClusterVerb.CREATE)
                .of(ObjectKey.volume("pvc-uid-c"))
                .as(Rejection.FORBIDDEN)
                .always());
        for (String name : List.of("c", "d")) {
            bench.patch(key(name), false, FieldChange.set(List.of(), "metadata", "finalizers"));
            bench.cluster.remove(key(name));
        }
        bench.settle();
        assertThat(bench.storage.volume("pvc-uid-d")).as("deleted").isEmpty();
        assertThat(bench.storage.volume("pvc-uid-c")).isPresent();

        bench.cluster.heal();
        bench.settle();
        assertThat(bench.endState()).isEmpty();
    }

    /** Kubernetes' API server accepts no new finalizer for an object that is being deleted. */
    @Test
    void aClaimIsSettledByTheNextProcessThoughItsFinalizerWasTakenAwayWhileItIsDeleted() {
        ControlBench bench = provisioning(true);
        bench.patch(key("c"), false, FieldChange.set(List.of("example.com/other"), "metadata", "finalizers"));
        bench.start().run();
        assertThat(bench.storage.volumes()).hasSize(1);
        bench.kill();
        bench.cluster.remove(key("c"));
        bench.patch(key("c"), false, FieldChange.set(List.of("example.com/other"), "metadata", "finalizers"));
        bench.startAndSettle();

        assertThat(bench.claim("c").metadata().annotations()).doesNotContainKey("volume4j.io/provisioning-intent");
        bench.patch(key("c"), false, FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.settle();
        assertThat(bench.endState()).isEmpty();
    }

    @Test
    void whatIsNotKnownToBeOursIsNeverRemoved() {
        bench.given(Classes.storageClass("fast", "mem")).startAndSettle();
        bench.storage.add("pvc-of-another-cluster", 1 << 30);
        bench.settle();
        bench.answer(bench.requests().orphans());
        bench.settle();

        assertThat(bench.storage.volumes()).hasSize(1);
        assertThat(bench.volumes()).isEmpty();
    }

    @Test
    void whatWasStoredOnceIsNotOursToRemoveWhenItsObjectIsTakenAway() {
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("c").ofClass("fast").made())
                .startAndSettle();
        bench.patch(ObjectKey.volume("pvc-uid-c"), false, FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.cluster.remove(ObjectKey.volume("pvc-uid-c"));
        bench.cluster.remove(key("c"));
        bench.settle();

        assertThat(bench.storage.volumes())
                .as("a user removed its object on purpose")
                .hasSize(1);
        assertThat(bench.answer(bench.requests().orphans())).hasSize(1);
    }

    @Test
    void aPersonHasAnOrphanDeletedLikeEveryOtherVolume() {
        bench.startAndSettle();
        bench.storage.add("pvc-lost", 1 << 30);

        bench.answer(bench.requests().adopt("mem", "pvc-lost", ReclaimPolicy.DELETE));
        bench.settle();

        assertThat(bench.endState()).isEmpty();
        assertThat(bench.storage.calls()).extracting(call -> call.name()).contains("delete");
    }

    @Test
    void aPersonHasAnOrphanKept() {
        bench.startAndSettle();
        bench.storage.add("precious", 1 << 30);

        bench.answer(bench.requests().adopt("mem", "precious", ReclaimPolicy.RETAIN));
        bench.settle();

        assertThat(bench.volume("precious").status().phase()).isEqualTo(VolumePhase.AVAILABLE);
        assertThat(bench.volume("precious").spec().accessModes())
                .as("nothing shows that several nodes may share it")
                .containsExactly(AccessMode.READ_WRITE_ONCE);
        assertThat(bench.storage.volumes()).hasSize(1);
        assertThat(bench.answer(bench.requests().orphans())).isEmpty();
    }

    @Test
    void deletesNothingWhoseNameDoesNotTellWhoseItWas() {
        bench.startAndSettle();
        bench.storage.add("precious", 1 << 30);

        assertThat(refusal("precious")).hasMessageContaining("does not contain the UID of a claim");
        assertThat(bench.storage.volumes()).hasSize(1);
    }

    @Test
    void adoptsNothingThatAVolumeOrALivingClaimTellsOf() {
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("c").ofClass("fast").made(),
                        volume("v").made())
                .startAndSettle();
        bench.storage.add("v", 1 << 30);

        assertThat(refusal("pvc-uid-c")).hasMessageContaining("has no orphaned storage");
        assertThat(refusal("pvc-nothing")).hasMessageContaining("has no orphaned storage");
        assertThat(bench.storage.volumes()).hasSize(2);
    }

    @Test
    void anAdoptedOrphanIsNotDeletedWhileANodeHasIt() {
        bench.startAndSettle();
        bench.storage.add("pvc-lost", 1 << 30);
        var adopted = bench.requests().adopt("mem", "pvc-lost", ReclaimPolicy.DELETE);
        // Its own object is its name in the cluster from then on: a node takes it up before it is deleted.
        while (bench.volumes().isEmpty()) {
            assertThat(bench.runTasks(1)).isEqualTo(1);
        }
        bench.hideFromWatches(Nodes.nodeUsing("n1", "mem^pvc-lost"));
        bench.answer(adopted);
        bench.settle();

        assertThat(bench.storage.volumes()).hasSize(1);
        assertThat(bench.told(ObjectKey.volume("pvc-lost"))).contains("VolumeDelete");
    }

    @Test
    void whatANodeReportsOrAnAttachmentNamesIsNoOrphan() {
        bench.startAndSettle();
        for (String handle : List.of("pvc-in-use", "pvc-in-use-too", "pvc-attached", "pvc-inline", "pvc-lost")) {
            bench.storage.add(handle, 1 << 30);
        }
        bench.cluster.apply(Nodes.nodeUsing("n1", "mem^pvc-in-use"));
        bench.cluster.apply(Nodes.nodeUsing("n2", "kubernetes.io/csi/mem^pvc-in-use-too"));
        bench.cluster.apply(attachment("by-name", VolumeAttachment.Spec.ofVolume("mem", "n1", "pvc-attached")));
        bench.cluster.apply(attachment(
                "inline",
                VolumeAttachment.Spec.ofInline(
                        "mem", "n1", volume("pvc-inline").made().spec())));

        assertThat(bench.answer(bench.requests().orphans()))
                .extracting(OrphanedStorage::handle)
                .containsExactly("pvc-lost");
        assertThat(refusal("pvc-in-use")).hasMessageContaining("a node of the cluster uses it");
        assertThat(bench.volumes()).isEmpty();
    }

    private static VolumeAttachment attachment(String name, VolumeAttachment.Spec spec) {
        return new VolumeAttachment(
                ObjectMeta.named("", name),
                spec,
                new VolumeAttachment.Status(false, Map.of(), null, null),
                Unmodeled.none());
    }

    private VolumeException refusal(String handle) {
        Throwable thrown =
                catchThrowable(() -> bench.answer(bench.requests().adopt("mem", handle, ReclaimPolicy.DELETE)));
        VolumeException refused =
                (VolumeException) requireNonNull(requireNonNull(thrown).getCause());
        assertThat(refused.kind()).isEqualTo(FailureKind.FINAL);
        return refused;
    }
}
