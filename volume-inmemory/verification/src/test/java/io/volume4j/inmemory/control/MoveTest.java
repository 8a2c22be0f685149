package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ClaimHold;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeMove.Phase;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.plugin.Populator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A claim's data moves to a volume of another class; the claim is never without a volume that has its data. */
class MoveTest {
    private static final ObjectKey MOVE = new ObjectKey(Kind.VOLUME_MOVE, "ns", "m");
    private static final StorageClass LATE =
            Classes.storageClass("late", "mem", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
    private static final ObjectKey COPY = ObjectKey.claim("ns", "move-uid-m");

    /** Copies what moves, within so many questions, in a backend that outlives every process. */
    private static final class Copier implements Populator {
        private final Set<String> filled = new TreeSet<>();
        private int questions;

        @Override
        public String sourceGroup() {
            return VolumeMove.GROUP;
        }

        @Override
        public String sourceKind() {
            return Kind.VOLUME_MOVE.apiName();
        }

        @Override
        public Progress fill(Request request, CallContext context) {
            if (questions > 0) {
                questions--;
                return Progress.askAgainAfter(Duration.ofMinutes(1));
            }
            filled.add(handle(request.volume()));
            return Progress.complete();
        }

        @Override
        public void cleanUp(CleanUpRequest request, CallContext context) {
            // keeps nothing
        }
    }

    @Test
    void aDriverThatCanCloneMovesAClaimBetweenItsClasses() {
        ControlBench bench = moving("").startAndSettle();

        assertMoved(bench);
        PersistentVolume old = bench.volume(oldVolume(bench));
        assertThat(old.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.RETAIN);
        assertThat(old.status().phase()).isEqualTo(VolumePhase.RELEASED);
        assertThat(bench.storage.volumes()).hasSize(2);
        assertThat(bench.told(GivenClaim.key("c"))).contains("VolumeMoved");
    }

    @Test
    void aDriverClonesIntoAClassThatNamesTheInTreePluginThatItReplaced() {
        ControlBench bench = given().given(Classes.storageClass("in-tree", ControlBench.IN_TREE))
                .manifests(move("method: Clone", "in-tree"))
                .startAndSettle();

        assertMoved(bench, "in-tree");
    }

    /** A claim may be bound to what is free before its data source counts. */
    @Test
    void takesNoFreeVolumeForTheCopy() {
        ControlBench bench = given().manifests(
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: free}, spec: {capacity: {storage: 1Gi}, accessModes:"
                                + " [ReadWriteOnce], storageClassName: fast, persistentVolumeReclaimPolicy: Retain, csi: {driver: mem,"
                                + " volumeHandle: h-free}}}");
        bench.startAndSettle();
        String volume = bench.claim("c").spec().volumeName();
        bench.manifests(move("")).settle();

        assertThat(phase(bench)).isEqualTo(Phase.FAILED);
        assertUnheld(bench);
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo(volume);
        assertThat(bench.has(ObjectKey.volume("free"))).isTrue();
    }

    /** An earlier move of the same name may have left it, and a user may have freed it. */
    @Test
    void takesNoVolumeForTheCopyThatWasFilledForAnEarlierMoveOfTheName() {
        ControlBench bench = given(new Copier())
                .manifests(
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: old, creationTimestamp: \"1970-01-01T00:00:00Z\", annotations:"
                                + " {populator.storage.k8s.io/populated-from: VolumeMove.volume4j.io ns/m}}, spec: {capacity: {storage: 1Gi},"
                                + " accessModes: [ReadWriteOnce], storageClassName: fast, persistentVolumeReclaimPolicy: Retain, csi: {driver:"
                                + " mem, volumeHandle: h-old}}}");
        bench.startAndSettle();
        String volume = bench.claim("c").spec().volumeName();
        bench.manifests(move("method: Copy")).settle();

        assertThat(phase(bench)).isEqualTo(Phase.FAILED);
        assertUnheld(bench);
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo(volume);
        assertThat(bench.has(ObjectKey.volume("old"))).isTrue();
    }

    @Test
    void failsWhereNothingCanCopy() {
        ControlBench bench = moving("method: Copy").startAndSettle();

        assertThat(phase(bench)).isEqualTo(Phase.FAILED);
        assertUnheld(bench);
        assertThat(bench.told(MOVE)).contains("MoveFailed");
    }

    @Test
    void aPopulatorCopiesWhatNoDriverClones() {
        Copier copier = new Copier();
        copier.questions = 2;
        ControlBench bench = moving("method: Copy", copier).startAndSettle();

        assertMoved(bench);
        assertThat(copier.filled)
                .containsExactly(handle(bench.volume(bench.claim("c").spec().volumeName())));
    }

    @Test
    void waitsForThePodsThatHaveTheClaimAndHoldsItMeanwhile() {
        ControlBench bench = given().given(Pods.using("p", "c", PodPhase.RUNNING));
        bench.startAndSettle();
        bench.manifests(move("")).settle();

        assertThat(phase(bench)).isEqualTo(Phase.COPYING);
        assertThat(ClaimHold.reason(bench.claim("c"))).contains("VolumeMove m");
        assertThat(bench.volumes()).hasSize(1);
        assertThat(bench.told(MOVE)).contains("MoveWaits");

        bench.cluster.remove(ObjectKey.pod("ns", "p"));
        bench.settle();
        assertMoved(bench);
    }

    /** The pod's object is gone, and its node still has the volume. No plugin of the controller's process knows the driver. */
    @Test
    void waitsForTheNodeThatHasAVolumeOfADriverWhoseCallsAnotherProcessMakes() {
        ControlBench bench = given(new Copier())
                .manifests(
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: far}, spec: {capacity: {storage: 1Gi}, accessModes:"
                                + " [ReadWriteOnce], storageClassName: distant, persistentVolumeReclaimPolicy: Retain, csi: {driver:"
                                + " far.example.org, volumeHandle: h1}}}")
                .manifests(
                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: uid-c, labels: {app:"
                                + " shop}}, spec: {accessModes: [ReadWriteOnce], storageClassName: distant, resources: {requests:"
                                + " {storage: 1Gi}}}}")
                .given(Nodes.nodeUsing("n1", "kubernetes.io/csi/far.example.org^h1"));
        bench.startAndSettle();
        bench.manifests(move("")).settle();

        assertThat(phase(bench)).isEqualTo(Phase.COPYING);
        assertThat(bench.has(COPY)).as("the copy").isFalse();
        assertThat(bench.explain(MOVE).text()).contains("node n1");

        bench.cluster.apply(Nodes.nodeUsing("n1"));
        bench.settle();
        assertMoved(bench);
    }

    @Test
    void copiesAgainWhatAPodUsedMeanwhile() {
        Copier copier = new Copier();
        copier.questions = 1;
        ControlBench bench = given(copier);
        bench.startAndSettle();
        bench.manifests(move("method: Copy"));
        bench.loop.advance(Duration.ofSeconds(30));
        Pod pod = Pods.using("p", "c", PodPhase.RUNNING);
        bench.cluster.apply(pod);
        bench.settle();

        assertThat(phase(bench)).isEqualTo(Phase.COPYING);
        assertThat(bench.has(COPY)).as("the copy").isFalse();
        bench.cluster.remove(pod.key());
        bench.settle();
        assertMoved(bench);
    }

    /** The pod ends before the refused copy can be removed. What it wrote is in the next copy only. */
    @Test
    void acceptsNoCopyThatAPodMadeOutOfDateAlsoWhereItStaysForAWhile() {
        assertCopiedAnew(refusedCopy());
    }

    @Test
    void aLaterLeaderAcceptsNoSuchCopyEither() {
        ControlBench bench = refusedCopy();
        bench.kill();
        assertCopiedAnew(bench.start());
    }

    /** A pod used the claim during the copy, the copy's removal is refused, and the pod has ended. */
    private static ControlBench refusedCopy() {
        Copier copier = new Copier();
        copier.questions = 10;
        ControlBench bench = given(copier);
        bench.startAndSettle();
        bench.manifests(move("method: Copy"));
        bench.loop.advance(Duration.ofSeconds(30));
        bench.refuseDeletions(true);
        Pod pod = Pods.using("p", "c", PodPhase.RUNNING);
        bench.cluster.apply(pod);
        bench.loop.advance(Duration.ofSeconds(30));
        bench.cluster.remove(pod.key());
        return bench;
    }

    private static void assertCopiedAnew(ControlBench bench) {
        String refused = bench.cluster.get(COPY).orElseThrow().metadata().uid();
        bench.settle();
        assertThat(phase(bench)).as("while the refused copy is there").isEqualTo(Phase.COPYING);

        bench.refuseDeletions(false);
        bench.settle();
        assertMoved(bench);
        assertThat(((VolumeMove) bench.cluster.get(MOVE).orElseThrow()).status().copyUid())
                .isNotEqualTo(refused);
    }

    /** A provisioner that has no room takes the node back, for a scheduler. The copy has none. */
    @Test
    void triesItsNodeAgainWhereItHadNoRoomAndNotWithoutAPause() {
        for (String method : List.of("Clone", "Copy")) {
            ControlBench bench = given(new Copier()).given(LATE, Nodes.node("n1", Map.of()));
            bench.startAndSettle();
            bench.plugin
                    .faults()
                    .add(Fault.on("provision").as(FaultKind.EXHAUSTED).times(3));
            bench.storage.clearCalls();
            bench.manifests(move("method: " + method + ", nodeName: n1", "late"));
            bench.run();
            assertThat(provisionings(bench)).as("without a pause, by " + method).isLessThanOrEqualTo(1);

            bench.settle();
            assertThat(provisionings(bench)).as(method).isEqualTo(4);
            assertMoved(bench, "late");
        }
    }

    /** A wrong name must not keep the pods of the claim from starting again. */
    @Test
    void doesNotHoldTheClaimBeforeItsClassExists() {
        ControlBench bench = given();
        bench.startAndSettle();
        bench.manifests(move("", "faster")).settle();
        assertThat(bench.told(MOVE)).contains("MoveWaits");
        assertUnheld(bench);

        bench.given(Classes.storageClass("faster", "mem")).settle();
        assertMoved(bench, "faster");
    }

    @Test
    void failsWhereItsNodeDoesNotExist() {
        ControlBench bench = given().given(LATE);
        bench.startAndSettle();
        bench.manifests(move("nodeName: n1", "late")).settle();

        assertThat(phase(bench)).isEqualTo(Phase.FAILED);
        assertThat(((VolumeMove) bench.cluster.get(MOVE).orElseThrow()).status().message())
                .contains("node n1 does not exist");
        assertUnheld(bench);
    }

    /** The old volume is kept only while the claim may lose it. */
    @Test
    void afterAFailedMoveTheOldVolumeGoesWithItsClaimAsBefore() {
        ControlBench bench = moving("").start();
        while (phase(bench) != Phase.SWITCHING
                || bench.volume("pvc-uid-c").spec().reclaimPolicy() != ReclaimPolicy.RETAIN) {
            assertThat(bench.runTasks(1)).isEqualTo(1);
        }
        bench.cluster.apply(Pods.using("p", "c", PodPhase.RUNNING));
        bench.settle();
        assertThat(phase(bench)).isEqualTo(Phase.FAILED);
        assertThat(bench.volume("pvc-uid-c").spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);

        bench.cluster.remove(ObjectKey.pod("ns", "p"));
        bench.cluster.delete(GivenClaim.key("c"), Preconditions.none());
        bench.settle();
        assertThat(bench.volumes()).isEmpty();
        assertThat(bench.storage.volumes()).isEmpty();
    }

    /** The claim is lost. The copy is out of date, but it is the only volume with the data that has an object. */
    @Test
    void aFailedMoveWhoseOldVolumeIsRemovedByForceKeepsTheCopiedVolume() {
        ControlBench bench = moving("").start();
        while (phase(bench) != Phase.SWITCHING
                || bench.volume("pvc-uid-c").spec().reclaimPolicy() != ReclaimPolicy.RETAIN) {
            assertThat(bench.runTasks(1)).isEqualTo(1);
        }
        ObjectKey copied = ObjectKey.volume(
                ((VolumeMove) bench.cluster.get(MOVE).orElseThrow()).status().targetVolume());
        bench.cluster.apply(Pods.using("p", "c", PodPhase.RUNNING));
        bench.patch(ObjectKey.volume("pvc-uid-c"), false, FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.cluster.remove(ObjectKey.volume("pvc-uid-c"));
        bench.settle();

        assertThat(phase(bench)).isEqualTo(Phase.FAILED);
        assertThat(bench.cluster.get(MOVE).orElseThrow().metadata().finalizers())
                .isEmpty();
        assertThat(bench.has(copied)).isTrue();
        assertThat(bench.storage.volumes()).anyMatch(volume -> volume.handle().equals(copied.name()));
    }

    private static long provisionings(ControlBench bench) {
        return bench.storage.callTexts().stream()
                .filter(call -> call.startsWith("provision"))
                .count();
    }

    /** A kubelet gives a pod the claim although it is held. Whatever the moment, what the pod may have written is not lost. */
    @Test
    void aPodThatHasTheClaimBeforeItIsDeletedKeepsItsVolume() {
        boolean kept = false;
        for (int tasks = 0; tasks < 600; tasks++) {
            ControlBench bench = moving("");
            boolean finished = bench.start().runTasks(tasks) < tasks;
            if (finished) {
                break;
            }
            if (!bench.has(GivenClaim.key("c"))) {
                continue;
            }
            PersistentVolumeClaim before = bench.claim("c");
            if (before.metadata().deleting()
                    || !before.metadata().uid().equals("uid-c")
                    || before.status().phase() != ClaimPhase.BOUND) {
                continue;
            }
            bench.cluster.apply(Pods.using("p", "c", PodPhase.RUNNING));
            bench.settle();

            PersistentVolumeClaim after = bench.claim("c");
            boolean same = after.metadata().uid().equals("uid-c");
            kept |= same && phase(bench) == Phase.FAILED;
            assertThat(bench.storage.volumes())
                    .as("the pod came after %d tasks", tasks)
                    .anyMatch(volume -> volume.handle().equals("pvc-uid-c"));
            if (same) {
                assertThat(after.spec().volumeName()).isEqualTo(before.spec().volumeName());
                assertThat(phase(bench) == Phase.FAILED && after.metadata().deleting())
                        .as("a move failed after it began to delete the claim; the pod came after %d tasks", tasks)
                        .isFalse();
            }

            bench.cluster.remove(ObjectKey.pod("ns", "p"));
            bench.settle();
            assertThat(bench.has(GivenClaim.key("c")))
                    .as("the claim, when the pod has ended that came after %d tasks", tasks)
                    .isTrue();
            assertUnheld(bench);
            assertThat(phase(bench))
                    .as("the pod came after %d tasks", tasks)
                    .isEqualTo(bench.claim("c").metadata().uid().equals("uid-c") ? Phase.FAILED : Phase.MOVED);
        }
        assertThat(kept).as("at least one move gave up its copy").isTrue();
    }

    @Test
    void convergesAfterACrashBehindEveryWrite() {
        for (int write = 1; ; write++) {
            assertThat(write).isLessThan(100);
            ControlBench bench = moving("");
            bench.crashAfterWrite(write).startAndSettle();
            if (!bench.crashed()) {
                assertThat(write).as("writes of a move").isGreaterThan(10);
                break;
            }
            bench.startAndSettle();
            assertMoved(bench);
            assertThat(bench.storage.volumes())
                    .as("crash behind write %d", write)
                    .hasSize(2);
        }
    }

    /** Whatever the moment, the claim has one volume with its data, and nothing of the move is left. */
    @Test
    void aMoveThatIsDeletedAtAnyPointIsUndoneOrFinishedAlsoWhenTheProcessDiesThen() {
        Set<String> ends = new TreeSet<>();
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            assertThat(tasks).isLessThan(600);
            ControlBench bench = moving("");
            finished = bench.start().runTasks(tasks) < tasks;
            bench.cluster.delete(MOVE, Preconditions.none());
            bench.kill();
            bench.startAndSettle();

            assertThat(bench.has(MOVE)).as("deleted after %d tasks", tasks).isFalse();
            assertUnheld(bench);
            String end = bench.claim("c").className();
            assertThat(bench.storage.volumes())
                    .as("the old volume stays, the copy does not")
                    .hasSize(end.equals("fast") ? 2 : 1);
            ends.add(end);
        }
        assertThat(ends).containsExactly("fast", "slow");
    }

    @Test
    void aMoveThatIsDeletedWhileItsCopyIsBeingCreatedLeavesNoCopy() {
        ControlBench bench = given();
        bench.startAndSettle();
        bench.manifests(move(""));
        bench.duringCreation(() -> {
            bench.cluster.delete(MOVE, Preconditions.none());
            bench.run();
        });
        bench.settle();

        assertThat(bench.has(MOVE)).isFalse();
        assertUnheld(bench);
        assertThat(bench.storage.volumes()).hasSize(1);
    }

    /** With its deletion its old volume may go. What was copied must not stay with a claim that goes together with the move. */
    @Test
    void aClaimThatAUserDeletesDuringTheSwitchComesBackWithTheCopiedVolume() {
        int deletions = 0;
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            ControlBench bench = moving("");
            finished = bench.start().runTasks(tasks) < tasks;
            if (phase(bench) != Phase.SWITCHING
                    || !bench.has(GivenClaim.key("c"))
                    || !bench.claim("c").metadata().uid().equals("uid-c")) {
                continue;
            }
            bench.cluster.delete(GivenClaim.key("c"), Preconditions.none());
            deletions++;
            bench.kill();
            bench.startAndSettle();
            assertMoved(bench);
        }
        assertThat(deletions).isGreaterThan(1);
    }

    /** The claim is lost then, and only the copy can help it. Without it, not even the deletion of the move would end the move. */
    @Test
    void aMoveWhoseOldVolumeIsRemovedByForceIsFinishedIfTheDataWasCopied() {
        boolean lost = false;
        for (int tasks = 0; ; tasks++) {
            ControlBench bench = moving("");
            bench.start().runTasks(tasks);
            if (phase(bench) != Phase.NONE) {
                break;
            }
            bench.cluster.remove(ObjectKey.volume("pvc-uid-c"));
            lost |= !bench.has(ObjectKey.volume("pvc-uid-c"));
            bench.settle();
            if (phase(bench) != Phase.NONE) {
                assertMoved(bench);
            }
        }
        assertThat(lost).as("a volume without its finalizer").isTrue();
    }

    /** A clone may not be smaller than its source asks for. What is copied already, or is being copied, need not be thrown away. */
    @Test
    void aClaimThatAsksForMoreDuringItsCopyIsMovedAllTheSame() {
        int grown = 0;
        for (int tasks = 0; ; tasks++) {
            assertThat(tasks).isLessThan(600);
            ControlBench bench = moving("");
            bench.start().runTasks(tasks);
            if (phase(bench) == Phase.SWITCHING) {
                break;
            }
            boolean begun = bench.cluster
                    .get(COPY)
                    .map(PersistentVolumeClaim.class::cast)
                    .filter(copy -> copy.metadata().annotations().containsKey("volume4j.io/provisioning-intent")
                            || !copy.spec().volumeName().isEmpty())
                    .isPresent();
            if (begun) {
                bench.patch(
                        GivenClaim.key("c"), false, FieldChange.set("2Gi", "spec", "resources", "requests", "storage"));
                bench.settle();
                assertMoved(bench);
                grown++;
            }
        }
        assertThat(grown).isGreaterThan(1);
    }

    @Test
    void aClaimThatAUserChangesDuringTheSwitchKeepsTheChange() {
        int changed = 0;
        for (int tasks = 0; ; tasks++) {
            assertThat(tasks).isLessThan(600);
            ControlBench bench = moving("");
            bench.start().runTasks(tasks);
            if (phase(bench) == Phase.MOVED) {
                break;
            }
            PersistentVolumeClaim old = bench.cluster
                    .get(GivenClaim.key("c"))
                    .map(PersistentVolumeClaim.class::cast)
                    .orElse(null);
            if (phase(bench) == Phase.SWITCHING
                    && old != null
                    && old.className().equals("slow")
                    && !old.metadata().deleting()) {
                bench.patch(
                        old.key(),
                        false,
                        FieldChange.set("2Gi", "spec", "resources", "requests", "storage"),
                        FieldChange.set("yes", "metadata", "labels", "late"));
                bench.settle();
                assertMoved(bench);
                assertThat(bench.claim("c").metadata().labels())
                        .as("after " + tasks)
                        .containsEntry("late", "yes");
                assertThat(bench.claim("c").spec().request()).isEqualTo(Quantity.parse("2Gi"));
                changed++;
            }
        }
        assertThat(changed).isGreaterThan(1);
    }

    /** The claim is deleted and created again. */
    @Test
    void theClaimKeepsFieldsThatNoRecordModels() {
        ControlBench bench = features()
                .manifests(
                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: uid-c, labels: {app:"
                                + " shop}}, spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {limits: {storage:"
                                + " 5Gi}, requests: {storage: 1Gi}}}}")
                .manifests(move(""));
        bench.startAndSettle();

        assertMoved(bench);
        assertThat(Manifests.toJson(bench.claim("c"))).contains("\"limits\":{\"storage\":\"5Gi\"}");
    }

    private static void assertMoved(ControlBench bench) {
        assertMoved(bench, "fast");
    }

    private static void assertMoved(ControlBench bench, String className) {
        assertThat(phase(bench)).isEqualTo(Phase.MOVED);
        assertUnheld(bench);
        PersistentVolumeClaim claim = bench.claim("c");
        assertThat(claim.className()).isEqualTo(className);
        assertThat(claim.metadata().labels()).containsEntry("app", "shop");
        assertThat(bench.volume(claim.spec().volumeName()).spec().reclaimPolicy())
                .isEqualTo(ReclaimPolicy.DELETE);
        assertThat(bench.cluster.get(MOVE).orElseThrow().metadata().finalizers())
                .isEmpty();
    }

    private static void assertUnheld(ControlBench bench) {
        PersistentVolumeClaim claim = bench.claim("c");
        assertThat(claim.status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(ClaimHold.reason(claim)).isEmpty();
        assertThat(bench.has(COPY)).as("the copy").isFalse();
        assertThat(bench.storage.violations()).isEmpty();
    }

    private static Phase phase(ControlBench bench) {
        return ((VolumeMove) bench.cluster.get(MOVE).orElseThrow()).status().phase();
    }

    private static String oldVolume(ControlBench bench) {
        return ((VolumeMove) bench.cluster.get(MOVE).orElseThrow()).status().sourceVolume();
    }

    private static String handle(PersistentVolume volume) {
        return ((CsiSource) volume.spec().source()).volumeHandle();
    }

    private static ControlBench moving(String more, Populator... copiers) {
        return given(copiers).manifests(move(more));
    }

    private static ControlBench given(Populator... copiers) {
        return features(copiers)
                .manifests(
                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: uid-c, labels: {app:"
                                + " shop}}, spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {requests: {storage:"
                                + " 1Gi}}}}");
    }

    private static ControlBench features(Populator... copiers) {
        ControlBench bench = new ControlBench();
        ControllerFeatures features = ControllerFeatures.ofController()
                .with(ControllerFeature.MOVE, ControllerFeature.PROTECTION)
                .restores()
                .dataSources();
        if (copiers.length > 0) {
            features.fills("filling", List.of(copiers));
        }
        bench.features(features);
        return bench.given(Classes.storageClass("slow", "mem"), Classes.storageClass("fast", "mem"));
    }

    private static String move(String more) {
        return move(more, "fast");
    }

    private static String move(String more, String className) {
        return "{apiVersion: volume4j.io/v1alpha1, kind: VolumeMove, metadata: {name: m, namespace: ns, uid: uid-m}, spec: {claimName: c,"
                + " storageClassName: " + className + (more.isEmpty() ? "" : ", " + more) + "}}";
    }
}
