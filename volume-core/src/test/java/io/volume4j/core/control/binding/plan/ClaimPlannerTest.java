package io.volume4j.core.control.binding.plan;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.binding.plan.ClaimGiven.claim;
import static io.volume4j.core.control.binding.plan.ClaimGiven.ofUnknownMode;
import static io.volume4j.core.control.binding.plan.ClaimGiven.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done about a claim, by what is written in it, row by row. {@code ProvisionPlannerTest} says how volumes are made. */
class ClaimPlannerTest {
    private static final String SIZE = "capacity: {storage: 2Gi}";
    private static final String OURS = ", claimRef: {namespace: ns, name: c, uid: u-c}";
    private static final String OURS_BY_NAME = ", claimRef: {namespace: ns, name: c}";
    private static final String ANOTHERS = ", claimRef: {namespace: ns, name: d, uid: u-d}";

    private static final String RESERVE =
            "write PersistentVolume v: spec.claimRef.apiVersion=v1, spec.claimRef.kind=PersistentVolumeClaim,"
                    + " spec.claimRef.namespace=ns, spec.claimRef.name=c, spec.claimRef.uid=u-c,"
                    + " spec.claimRef.resourceVersion=";
    private static final String CHOSEN = ", metadata.annotations.pv.kubernetes.io/bound-by-controller=yes";
    private static final String VOLUME_BOUND =
            "; write PersistentVolume/status v: status.phase=Bound, status.lastPhaseTransitionTime=NOW";
    private static final String COMPLETED = "metadata.annotations.pv.kubernetes.io/bind-completed=yes";
    private static final String NAMED =
            "; write PersistentVolumeClaim c: spec.volumeName=v" + CHOSEN + ", " + COMPLETED;
    private static final String CLAIM_BOUND =
            "; write PersistentVolumeClaim/status c: status.accessModes=[ReadWriteOnce], status.phase=Bound,"
                    + " status.capacity.storage=2Gi";
    private static final String PENDING = "write PersistentVolumeClaim/status c: status.phase=Pending";
    private static final String LOST = "write PersistentVolumeClaim/status c: status.phase=Lost";
    private static final String NO_VOLUME =
            "no volume is available for the claim, and it names no storage class that could make one";
    private static final String FIRST_POD = "waiting for the first pod that uses the claim before binding it";
    private static final String NO_SIZE = "volume v says no capacity, so the claim cannot be bound to it";
    private static final String TAKEN = "volume v is already bound to or reserved for another claim";
    private static final String NO_FIT = "cannot bind to the requested volume v: ";
    private static final Map<String, String> DELETION_BEGUN = Map.of(Annotation.RECLAIM_INTENT, VolumeGiven.OURS);
    private static final String NAME_GONE = "the bound claim no longer names its volume; its data may be lost";
    private static final String GONE = "volume v of the bound claim is gone; its data may be lost";
    private static final String MISBOUND = "volume v belongs to another claim, to which it was bound first";
    private static final String ALL_BOUND = "phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 2Gi}";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<ClaimView> row) {
        row.check(ClaimPlanner::plan);
    }

    static Stream<PlanRow<ClaimView>> decides() {
        return Stream.of(unbound(), requested(), completed(), intents(), unknownWords())
                .flatMap(rows -> rows);
    }

    private static Stream<PlanRow<ClaimView>> unbound() {
        return Stream.of(
                row(
                                "does nothing before all volumes are known",
                                claim().choiceUnknown().view())
                        .waits("the volumes, classes or nodes of the cluster are not known completely"),
                row(
                        "binds to the volume that fits, in four writes",
                        claim().match(Match.of(volume("v", SIZE))).view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                        "completes a reservation that a person made by name, and does not call it its own",
                        claim().match(Match.of(volume("v", SIZE + OURS_BY_NAME)))
                                .view(),
                        RESERVE + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                        "goes on behind a crash after the first write",
                        claim().match(Match.of(volume("v", SIZE + OURS))).view(),
                        VOLUME_BOUND.substring(2) + NAMED + CLAIM_BOUND),
                row(
                                "does not bind to a volume without a size",
                                claim().match(Match.of(volume("v", ""))).view(),
                                "tell Warning FailedBinding: " + NO_SIZE)
                        .waits(NO_SIZE),
                row(
                        "gives the claim the size that its volume had before an expansion",
                        claim().match(Match.of(volume("v", SIZE, Map.of(WellKnown.PRE_RESIZE_CAPACITY, "1Gi"))))
                                .view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND.replace("2Gi", "1Gi")),
                row(
                        "does not let a wrong annotation keep it from its volume",
                        claim().match(Match.of(volume("v", SIZE, Map.of(WellKnown.PRE_RESIZE_CAPACITY, "much"))))
                                .view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                        "gives a claim without a class the default one",
                        claim().withoutClass().defaultClass("std").view(),
                        "write PersistentVolumeClaim c: spec.storageClassName=std"),
                row(
                        "prefers a volume that fits to the default class",
                        claim().withoutClass()
                                .defaultClass("std")
                                .match(Match.of(volume("v", SIZE)))
                                .view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                                "leaves a claim alone that asks for no class",
                                claim().ofClass("").defaultClass("std").view(),
                                "tell Normal FailedBinding: " + NO_VOLUME)
                        .waits(NO_VOLUME),
                row(
                                "goes back to Pending",
                                claim().ofClass("")
                                        .status("phase: Bound, capacity: {storage: 1Gi}")
                                        .view(),
                                PENDING + ", status.capacity=null",
                                "tell Normal FailedBinding: " + NO_VOLUME)
                        .waits(NO_VOLUME),
                row(
                                "waits for the first pod",
                                claim().waitsForConsumer().view(),
                                "tell Normal WaitForFirstConsumer: " + FIRST_POD)
                        .waits(FIRST_POD),
                row(
                                "then waits for its node",
                                claim().waitsForConsumer("p", "q").view(),
                                "tell Normal WaitForPodScheduled: waiting for pod p, q to be scheduled")
                        .waits("waiting for pod p, q to be scheduled"),
                row(
                        "does not wait for a pod with what was begun",
                        claim().waitsForConsumer().intent().view(),
                        "PROVISION provision volume pvc-u-c with mem"),
                row(
                        "goes on with what was begun though the class is gone from the claim",
                        claim().intent().ofClass("").view(),
                        "PROVISION provision volume pvc-u-c with mem"));
    }

    private static Stream<PlanRow<ClaimView>> requested() {
        return Stream.of(
                row(
                                "waits for the volume that it asks for",
                                asks().volumeIs(Lookup.State.MISSING).view())
                        .waits("the claim asks for volume v, which does not exist"),
                row(
                                "is pending meanwhile",
                                asks().status("phase: Bound")
                                        .volumeIs(Lookup.State.ABSENT)
                                        .view(),
                                PENDING)
                        .waits("the claim asks for volume v, which does not exist"),
                row(
                                "does nothing before all volumes are known",
                                asks().volumeIs(Lookup.State.UNKNOWN).view())
                        .waits("the volumes of the cluster are not known completely"),
                row(
                        "binds to the volume that is reserved for it, without calling the choice its own",
                        asks().volumeIs(volume("v", SIZE + OURS)).view(),
                        VOLUME_BOUND.substring(2) + "; write PersistentVolumeClaim c: " + COMPLETED + CLAIM_BOUND),
                row(
                        "binds to the volume that it asks for if that is free and fits",
                        asks().volumeIs(volume("v", SIZE + ", storageClassName: fast"))
                                .view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + "; write PersistentVolumeClaim c: " + COMPLETED
                                + CLAIM_BOUND),
                row(
                                "says why the volume that it asks for does not do",
                                asks().volumeIs(volume("v", SIZE + ", storageClassName: slow"))
                                        .view(),
                                "tell Warning VolumeMismatch: " + NO_FIT + "…")
                        .waits(NO_FIT + "…"),
                row(
                                "does not bind to a volume whose storage may be being deleted",
                                asks().volumeIs(volume("v", SIZE + ", storageClassName: fast", DELETION_BEGUN))
                                        .view(),
                                "tell Warning VolumeMismatch: " + NO_FIT + "its storage may be being deleted")
                        .waits(NO_FIT + "its storage may be being deleted"),
                row(
                                "does not bind to it either where it is reserved",
                                asks().volumeIs(volume("v", SIZE + OURS, DELETION_BEGUN))
                                        .view(),
                                "tell Warning VolumeMismatch: " + NO_FIT + "its storage may be being deleted")
                        .waits(NO_FIT + "its storage may be being deleted"),
                row(
                                "says that the volume is another's",
                                asks().volumeIs(volume("v", SIZE + ANOTHERS)).view(),
                                "tell Warning FailedBinding: " + TAKEN)
                        .waits(TAKEN),
                row(
                                "goes back to Pending if a person had asked for it",
                                asks().status("phase: Bound")
                                        .volumeIs(volume("v", SIZE + ANOTHERS))
                                        .view(),
                                PENDING,
                                "tell Warning FailedBinding: " + TAKEN)
                        .waits(TAKEN),
                row(
                                "writes no phase where the controller itself had chosen it",
                                asks().chosenByController()
                                        .status("phase: Bound")
                                        .volumeIs(volume("v", SIZE + ANOTHERS))
                                        .view(),
                                "tell Warning FailedBinding: " + TAKEN)
                        .waits(TAKEN),
                row(
                                "settles what was begun while it waits",
                                asks().volumeIs(Lookup.State.MISSING).intent().view(),
                                "write PersistentVolumeClaim c:"
                                        + " metadata.annotations.volume4j.io/provisioning-intent=null, metadata.finalizers=[]")
                        .waits("the claim asks for volume v, which does not exist"));
    }

    private static Stream<PlanRow<ClaimView>> completed() {
        return Stream.of(
                row(
                        "is done when all is as it should be",
                        done().volumeIs(bound()).view()),
                row(
                        "repairs what is only incomplete",
                        done().status("phase: Pending").volumeIs(bound()).view(),
                        CLAIM_BOUND.substring(2)),
                row(
                        "is bound again to a volume that is free now",
                        done().volumeIs(volume("v", SIZE)).view(),
                        RESERVE + CHOSEN + VOLUME_BOUND),
                row(
                        "leaves the size to expansion",
                        done().status(ALL_BOUND.replace("2Gi", "1Gi"))
                                .volumeIs(bound())
                                .view()),
                row(
                                "is lost without the name of its volume",
                                claim().completed().status("phase: Bound").view(),
                                LOST,
                                "tell Warning ClaimLost: " + NAME_GONE)
                        .waits(NAME_GONE),
                row(
                                "asks the store before it calls a claim lost",
                                done().volumeIs(Lookup.State.MISSING).view(),
                                "VERIFY read PersistentVolume//v from the store")
                        .waits("volume v of the bound claim is gone"),
                row(
                                "does not ask again about a claim that is lost",
                                done().status("phase: Lost")
                                        .volumeIs(Lookup.State.MISSING)
                                        .view())
                        .waits("volume v of the bound claim is gone"),
                row(
                                "is lost with its volume, and with what that gave it",
                                done().volumeIs(Lookup.State.ABSENT).view(),
                                LOST + ", status.accessModes=null, status.capacity=null",
                                "tell Warning ClaimLost: " + GONE)
                        .waits(GONE),
                row(
                                "is lost to a claim that the volume was bound to first",
                                done().status("phase: Bound")
                                        .volumeIs(volume("v", SIZE + ANOTHERS))
                                        .view(),
                                LOST,
                                "tell Warning ClaimMisbound: " + MISBOUND)
                        .waits(MISBOUND),
                row(
                        "is found again with its volume",
                        done().status("phase: Lost").volumeIs(bound()).view(),
                        CLAIM_BOUND.substring(2)),
                row(
                                "does nothing before all volumes are known",
                                done().volumeIs(Lookup.State.UNKNOWN).view())
                        .waits("the volumes of the cluster are not known completely"),
                row(
                        "does not miss its volume while it is deleted",
                        done().deleting().volumeIs(Lookup.State.ABSENT).view()),
                row(
                        "drops an intent that is fulfilled",
                        done().intent().volumeIs(bound()).view(),
                        "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/provisioning-intent=null,"
                                + " metadata.finalizers=[]"),
                row(
                        "settles what was begun for a claim that is deleted before it was bound",
                        claim().deleting().intent().view(),
                        "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/provisioning-intent=null,"
                                + " metadata.finalizers=[]"));
    }

    private static final String UNKNOWN = " has a word that this version does not know";

    /** Words of a newer version: nothing is written by a guess at what they mean. */
    private static Stream<PlanRow<ClaimView>> unknownWords() {
        return Stream.of(
                row(
                                "makes no volume for an access mode that it does not know",
                                claim().accessModeUnknown().view())
                        .waits("accessModes of PersistentVolumeClaim/ns/c" + UNKNOWN),
                row(
                                "binds none either",
                                claim().accessModeUnknown()
                                        .match(Match.of(volume("v", SIZE)))
                                        .view())
                        .waits("accessModes of PersistentVolumeClaim/ns/c" + UNKNOWN),
                row(
                                "neither binds at once nor waits for a pod if the class says something third",
                                claim().bindingModeUnknown().view())
                        .waits("volumeBindingMode of storage class fast" + UNKNOWN),
                row(
                                "makes no volume with a policy that it does not know",
                                claim().reclaimPolicyUnknown().view())
                        .waits("reclaimPolicy of storage class fast" + UNKNOWN),
                row(
                        "binds a volume that exists all the same, which has a policy of its own",
                        claim().reclaimPolicyUnknown()
                                .match(Match.of(volume("v", SIZE)))
                                .view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                        "goes on with what was begun with another policy",
                        claim().reclaimPolicyUnknown().intent().view(),
                        "PROVISION provision volume pvc-u-c with mem"),
                row(
                                "does not bind to a volume whose mode it does not know, also if it asks for that",
                                asks().volumeIs(ofUnknownMode(volume("v", SIZE + OURS)))
                                        .view())
                        .waits("volumeMode of volume v" + UNKNOWN),
                row(
                                "repairs nothing by what it cannot read",
                                done().status("phase: Pending")
                                        .volumeIs(ofUnknownMode(bound()))
                                        .view())
                        .waits("volumeMode of volume v" + UNKNOWN),
                row(
                        "settles all the same what was begun for a claim that is deleted",
                        claim().accessModeUnknown().deleting().intent().view(),
                        "write PersistentVolumeClaim c: " + DROPPED));
    }

    private static final String DROPPED =
            "metadata.annotations.volume4j.io/provisioning-intent=null, metadata.finalizers=[]";
    private static final String OPEN_NAMED = NAMED + ", " + DROPPED;

    /** A binding ends what was begun to make a volume, unless something may be left of it. */
    static Stream<PlanRow<ClaimView>> intents() {
        PersistentVolume other = volume("v", SIZE);
        return Stream.of(
                row(
                        "a binding to another volume drops an intent without doubt",
                        claim().intent().match(Match.of(other)).view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + OPEN_NAMED + CLAIM_BOUND),
                row(
                        "and keeps one in doubt, which is settled then",
                        claim().intent()
                                .failed(FailureKind.UNCERTAIN)
                                .match(Match.of(other))
                                .view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                        "a binding to the volume that was made drops one in doubt: this is what it made",
                        claim().intent()
                                .failed(FailureKind.UNCERTAIN)
                                .match(Match.of(volume("pvc-u-c", SIZE)))
                                .view(),
                        (RESERVE + CHOSEN + VOLUME_BOUND + OPEN_NAMED + CLAIM_BOUND)
                                .replace("PersistentVolume v", "PersistentVolume pvc-u-c")
                                .replace("status v", "status pvc-u-c")
                                .replace("volumeName=v", "volumeName=pvc-u-c")),
                row(
                        "the intent of a provisioner outside stays",
                        claim().intent().elsewhere().match(Match.of(other)).view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                        "one that cannot be read stays",
                        claim().unreadableIntent().match(Match.of(other)).view(),
                        RESERVE + CHOSEN + VOLUME_BOUND + NAMED + CLAIM_BOUND),
                row(
                        "what is in doubt is settled for a claim that is bound",
                        done().intent()
                                .failed(FailureKind.UNCERTAIN)
                                .volumeIs(bound())
                                .view(),
                        "tell Warning ProvisioningFailed: failed to provision a volume of storage class \"fast\": no way",
                        "PROVISION provision volume pvc-u-c with mem"),
                row(
                        "and for one that is deleted and has lost its volume",
                        done().deleting().intent().volumeIs(Lookup.State.ABSENT).view(),
                        "write PersistentVolumeClaim c: " + DROPPED),
                row(
                                "a claim whose volume does not fit goes back to Pending",
                                asks().status("phase: Bound")
                                        .volumeIs(volume("v", SIZE + ", storageClassName: slow"))
                                        .view(),
                                PENDING,
                                "tell Warning VolumeMismatch: " + NO_FIT + "…")
                        .waits(NO_FIT + "…"));
    }

    @Test
    void theVolumeIsReservedWhileTheBindingIsWritten() {
        List<ClusterStep> steps = ClaimPlanner.plan(
                        claim().match(Match.of(volume("v", SIZE))).view())
                .steps();
        assertThat(steps).singleElement().isInstanceOfSatisfying(ClusterWork.Write.class, write -> {
            assertThat(write.reserves()).isEqualTo("v");
            assertThat(write.describe()).isEqualTo("bind PersistentVolumeClaim/ns/c to volume v");
        });
    }

    private static ClaimGiven asks() {
        return claim().names("v");
    }

    private static ClaimGiven done() {
        return claim().names("v").completed().status(ALL_BOUND);
    }

    private static PersistentVolume bound() {
        return PlanRow.object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v, uid: u-v},
                 spec: {accessModes: [ReadWriteOnce], csi: {driver: mem, volumeHandle: h}, capacity: {storage: 2Gi}%s},
                 status: {phase: Bound}}
                """.formatted(OURS));
    }
}
