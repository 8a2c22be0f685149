package io.volume4j.core.control.binding.plan;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.binding.plan.VolumeGiven.volume;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.facts.Lookup;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done about a volume, by whom its claimRef names, row by row. {@code ReclaimPlannerTest} says what follows a claim. */
class VolumePlannerTest {
    private static final String BY_UID = "name: c, uid: u-c";
    private static final String BY_NAME = "name: c";
    private static final String FREE = "";
    private static final String AVAILABLE =
            "write PersistentVolume/status v: status.phase=Available, status.lastPhaseTransitionTime=NOW";
    private static final String DEPRIVED =
            "the deletion of its storage was begun before its claimRef was cleared, and may have had its effect; if the"
                    + " storage is there, remove the annotation volume4j.io/reclaim-intent to offer it to claims";
    private static final String BEGUN =
            "its storage was being deleted or emptied before its policy became Retain, which may have had its effect; if all"
                    + " is there, remove the annotation volume4j.io/reclaim-intent, so that the volume can be released";
    private static final String MODES =
            "volume v has volumeMode Block, claim PersistentVolumeClaim/ns/c asks for Filesystem";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<VolumeView> row) {
        row.check(VolumePlanner::plan);
    }

    static Stream<PlanRow<VolumeView>> decides() {
        return Stream.of(
                // the finalizer, before anything else
                row(
                        "protects a volume that was made here and is to be deleted",
                        volume().finalizers("a/b").view(),
                        "write PersistentVolume v: metadata.finalizers=[a/b, external-provisioner.volume.kubernetes.io/finalizer]"),
                row(
                        "does not protect what others made",
                        volume().finalizers()
                                .reclaimer(ReclaimerInfo.outside("far"))
                                .claimNames("v")
                                .view()),
                row(
                        "does not protect what is being deleted",
                        volume().finalizers().deleting().claimNames("v").view()),
                row(
                        "stops to protect what is retained",
                        volume().policy("Retain").claimNames("v").view(),
                        "write PersistentVolume v: metadata.finalizers=[]"),
                row(
                        "stops to protect what is recycled",
                        volume().policy("Recycle")
                                .finalizers("a/b", Annotation.RECLAIM_FINALIZER)
                                .view(),
                        "write PersistentVolume v: metadata.finalizers=[a/b]"),
                row(
                        "stops to protect what another driver handles now",
                        volume().finalizers(Annotation.RECLAIM_FINALIZER)
                                .annotated("pv.kubernetes.io/migrated-to", "new.csi")
                                .view(),
                        "write PersistentVolume v: metadata.finalizers=[]"),
                row(
                        "leaves to the driver that handles the volume now what it protects",
                        volume().annotated("pv.kubernetes.io/migrated-to", "new.csi")
                                .claimNames("v")
                                .view()),
                row(
                        "replaces the finalizer that no external-provisioner removes",
                        volume().finalizers("a/b", Annotation.RECLAIM_FINALIZER).view(),
                        "write PersistentVolume v: metadata.finalizers=[a/b,"
                                + " external-provisioner.volume.kubernetes.io/finalizer]"),
                row(
                        "protects what its own driver handles under a new name",
                        volume().finalizers()
                                .annotated("pv.kubernetes.io/migrated-to", "mem")
                                .view(),
                        "write PersistentVolume v: metadata.finalizers=[external-provisioner.volume.kubernetes.io/finalizer]"),
                row(
                        "leaves the finalizer where the policy is not known",
                        volume().policy("Other").claimNames("v").view()),
                row(
                        "names the driver that took the place of an old source",
                        volume().source("gcePersistentDisk: {pdName: d}")
                                .claimNames("v")
                                .view(),
                        "write PersistentVolume v: metadata.annotations.pv.kubernetes.io/migrated-to=pd.csi.storage.gke.io"),
                // free
                row(
                        "offers a volume that is free",
                        volume().of(FREE).phase("Pending").view(),
                        AVAILABLE),
                row(
                        "leaves an available volume alone",
                        volume().of(FREE).phase("Available").view()),
                row(
                        "offers one that is reserved by name only",
                        volume().of(BY_NAME).phase("Pending").view(),
                        AVAILABLE),
                row(
                        "takes a failure's reason away with its phase",
                        volume().of(FREE).failed("R", "m").view(),
                        AVAILABLE + ", status.reason=null, status.message=null"),
                row(
                        "forgets that a volume was to be emptied that is free now",
                        volume().of(FREE)
                                .intent("1 recycle 7 p")
                                .phase("Available")
                                .view(),
                        "write PersistentVolume v: metadata.annotations.volume4j.io/reclaim-intent=null"),
                row(
                                "does not offer a volume whose storage may be deleted",
                                volume().of(FREE).intent(VolumeGiven.OURS).view(),
                                "write PersistentVolume/status v: status.phase=Failed, status.lastPhaseTransitionTime=NOW, status.reason=VolumeFailedDelete,"
                                        + " status.message=" + DEPRIVED,
                                "tell Warning VolumeFailedDelete: " + DEPRIVED)
                        .waits(DEPRIVED),
                row(
                                "believes the worst of an intent that cannot be read",
                                volume().of(FREE)
                                        .intent("?")
                                        .failed("VolumeFailedDelete", DEPRIVED)
                                        .view(),
                                "tell Warning VolumeFailedDelete: " + DEPRIVED)
                        .waits(DEPRIVED),
                row(
                                "keeps the storage of a free volume that a person deletes",
                                volume().of(FREE).phase("Available").deleting().view())
                        .waits(
                                "the volume is to be deleted, but belongs to no claim that could be known to be gone, so its"
                                        + " storage is kept; set its reclaim policy to Retain to remove the object only"),
                row(
                        "has nothing to wait for where others keep it",
                        volume().of(FREE)
                                .phase("Available")
                                .deleting()
                                .finalizers("a/b")
                                .view()),
                row(
                        "goes on with what is deleted, also when the volume was given to another claim since",
                        volume().of(FREE).storageDeleted().view(),
                        "REMOVE delete object PersistentVolume//v"),
                // a claim's
                row(
                                "does nothing before all claims are known",
                                volume().claimIs(Lookup.State.UNKNOWN).view())
                        .waits("the claims of the cluster are not known completely"),
                row(
                        "is done with a volume that its claim names",
                        volume().claimNames("v").view()),
                row(
                        "marks a volume that its claim names as bound",
                        volume().phase("Available").claimNames("v").view(),
                        "write PersistentVolume/status v: status.phase=Bound, status.lastPhaseTransitionTime=NOW"),
                row(
                                "leaves the binding to the claim's own plan",
                                volume().of(BY_UID).claimNames("").view())
                        .waits("reserved for PersistentVolumeClaim/ns/c, which is not bound yet"),
                row(
                                "tells both where the modes differ",
                                volume().block().claimNames("").view(),
                                "tell Warning VolumeMismatch: " + MODES + "; tell Warning VolumeMismatch: " + MODES)
                        .waits(MODES),
                row(
                                "asks the store about a deletion that was begun when its claim had another volume",
                                volume().intent(VolumeGiven.OURS).claimNames("").view(),
                                "VERIFY read PersistentVolumeClaim/ns/c from the store")
                        .waits("is claim PersistentVolumeClaim/ns/c really gone?"),
                row(
                        "frees a volume that the controller chose for a claim that is bound elsewhere",
                        volume().chosenByController().claimNames("w").view(),
                        "write PersistentVolume v: spec.claimRef=null,"
                                + " metadata.annotations.pv.kubernetes.io/bound-by-controller=null; " + AVAILABLE),
                row(
                        "frees one that a person reserved, and keeps the reservation",
                        volume().claimNames("w").view(),
                        "write PersistentVolume v: spec.claimRef.uid=null, spec.claimRef.resourceVersion=null; "
                                + AVAILABLE),
                row(
                        "frees one that was made for it and is to be kept",
                        volume().policy("Retain")
                                .finalizers()
                                .madeBy("mem")
                                .chosenByController()
                                .claimNames("w")
                                .view(),
                        "write PersistentVolume v: spec.claimRef=null,"
                                + " metadata.annotations.pv.kubernetes.io/bound-by-controller=null; " + AVAILABLE),
                row(
                                "frees none whose deletion was begun before it was to be kept",
                                volume().policy("Retain")
                                        .finalizers()
                                        .madeBy("mem")
                                        .chosenByController()
                                        .intent(VolumeGiven.OURS)
                                        .claimNames("w")
                                        .view(),
                                "VERIFY read PersistentVolumeClaim/ns/c from the store")
                        .waits("is claim PersistentVolumeClaim/ns/c really gone?"),
                row(
                                "says that the storage of such a volume may be gone",
                                volume().policy("Retain")
                                        .finalizers()
                                        .madeBy("mem")
                                        .chosenByController()
                                        .intent(VolumeGiven.OURS)
                                        .phase("Released")
                                        .claimNames("w")
                                        .confirmed()
                                        .view(),
                                "write PersistentVolume/status v: status.phase=Failed, status.lastPhaseTransitionTime=NOW,"
                                        + " status.reason=VolumeFailedDelete, status.message=" + BEGUN,
                                "tell Warning VolumeFailedDelete: " + BEGUN)
                        .waits(BEGUN),
                row(
                                "reclaims one that was made for it, once the store says that the claim is bound elsewhere",
                                volume().madeBy("mem").claimNames("w").view(),
                                "VERIFY read PersistentVolumeClaim/ns/c from the store")
                        .waits("is claim PersistentVolumeClaim/ns/c really gone?"),
                row(
                        "releases it when the store has said so",
                        volume().madeBy("mem").claimNames("w").confirmed().view(),
                        "write PersistentVolume/status v: status.phase=Released, status.lastPhaseTransitionTime=NOW"));
    }
}
