package io.volume4j.core.control.binding.plan;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.binding.plan.VolumeGiven.OURS;
import static io.volume4j.core.control.binding.plan.VolumeGiven.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a volume whose claim is gone, row by row. */
class ReclaimPlannerTest {
    private static final String VERIFY = "VERIFY read PersistentVolumeClaim/ns/c from the store";
    private static final String REALLY = "is claim PersistentVolumeClaim/ns/c really gone?";
    private static final String RELEASED =
            "write PersistentVolume/status v: status.phase=Released, status.lastPhaseTransitionTime=NOW";
    private static final String INTEND =
            "write PersistentVolume v: metadata.annotations.volume4j.io/reclaim-intent=1 delete 7 p";
    private static final String INTEND_EMPTYING =
            "write PersistentVolume v: metadata.annotations.volume4j.io/reclaim-intent=1 recycle 7 p";
    private static final String LOOK = "LOOK read from the store whether PersistentVolume//v is in use";
    private static final String DELETE = "DELETE delete the storage of volume v with mem";
    private static final String RECYCLE = "RECYCLE recycle volume v with mem";
    private static final String EMPTYING = "1 recycle 7 p";
    private static final String BEGUN =
            "its storage was being deleted or emptied before its policy became Retain, which may have had its effect; if all"
                    + " is there, remove the annotation volume4j.io/reclaim-intent, so that the volume can be released";
    private static final String UNKNOWN_POLICY =
            "the volume's reclaim policy is unknown here, so the volume is not changed";
    private static final String NO_DELETER =
            "released, but no plugin of this process deletes its storage, and the volume names no other deleter; register"
                    + " its plugin, or set the reclaim policy to Retain";
    private static final String FAR = "released; its storage is deleted by far, which must be running elsewhere";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<VolumeView> row) {
        row.check(VolumePlanner::plan);
    }

    static Stream<PlanRow<VolumeView>> decides() {
        return Stream.of(proof(), keeping(), deleting(), recycling(), removing())
                .flatMap(rows -> rows);
    }

    private static Stream<PlanRow<VolumeView>> proof() {
        return Stream.of(
                row("asks the store before a missing claim counts as gone", volume().view(), VERIFY)
                        .waits(REALLY),
                row(
                                "asks it again after the release, since deleting is for good",
                                volume().phase("Released").view(),
                                VERIFY)
                        .waits(REALLY),
                row(
                                "asks before it recycles",
                                recycled().claimIs(Lookup.State.MISSING).view(),
                                VERIFY)
                        .waits(REALLY),
                row(
                                "asks before it releases what is retained",
                                retained("Bound").claimIs(Lookup.State.MISSING).view(),
                                VERIFY)
                        .waits(REALLY),
                row(
                        "does not ask about what is retained and released",
                        retained("Released").claimIs(Lookup.State.MISSING).view()),
                row(
                        "does not ask about what is retained and failed",
                        retained("Failed").claimIs(Lookup.State.MISSING).view(),
                        RELEASED),
                row(
                        "releases a volume whose claim is proved to be gone",
                        volume().claimGone().view(),
                        RELEASED),
                row(
                        "does not ask again once the volume was emptied",
                        recycled().claimIs(Lookup.State.MISSING).emptied().view(),
                        "write PersistentVolume v: spec.claimRef.uid=null, spec.claimRef.resourceVersion=null;"
                                + " write PersistentVolume/status v: status.phase=Available, status.lastPhaseTransitionTime=NOW"));
    }

    private static Stream<PlanRow<VolumeView>> keeping() {
        return Stream.of(
                row("keeps what is to be retained", retained("Released").view()),
                row(
                                "says that the retained storage may be deleted already",
                                retained("Released").intent(OURS).view(),
                                failed("VolumeFailedDelete", BEGUN),
                                "tell Warning VolumeFailedDelete: " + BEGUN)
                        .waits(BEGUN),
                row(
                                "says that it may be emptied already",
                                retained("Released").intent(EMPTYING).view(),
                                failed("VolumeFailedRecycle", BEGUN),
                                "tell Warning VolumeFailedRecycle: " + BEGUN)
                        .waits(BEGUN),
                row(
                                "leaves a volume with an unknown policy alone",
                                released().policy("Other").view(),
                                failed("VolumeUnknownReclaimPolicy", UNKNOWN_POLICY),
                                "tell Warning VolumeUnknownReclaimPolicy: " + UNKNOWN_POLICY)
                        .waits(UNKNOWN_POLICY));
    }

    private static Stream<PlanRow<VolumeView>> deleting() {
        return Stream.of(
                // who deletes
                row(
                                "says that no deleter is there",
                                released().reclaimer(ReclaimerInfo.none()).view(),
                                "tell Warning VolumeFailedDelete: " + NO_DELETER)
                        .waits(NO_DELETER),
                row(
                                "leaves it to the deleter outside",
                                released()
                                        .reclaimer(ReclaimerInfo.outside("far"))
                                        .view(),
                                "tell Normal ExternalDeleting: " + FAR)
                        .waits(FAR),
                row(
                                "leaves it to the driver that it was moved to",
                                released()
                                        .finalizers()
                                        .annotated("pv.kubernetes.io/migrated-to", "far")
                                        .view(),
                                "tell Normal ExternalDeleting: " + FAR)
                        .waits(FAR),
                row(
                                "a plugin here that cannot delete counts as no deleter",
                                released()
                                        .reclaimer(new ReclaimerInfo("mem", "", false, true, true))
                                        .view(),
                                "tell Warning VolumeFailedDelete: " + NO_DELETER)
                        .waits(NO_DELETER),
                // what is in use stays
                row(
                                "does nothing before all users are known",
                                released().usersUnknown().view())
                        .waits("the attachments, nodes, pods and volumes of the cluster are not known completely"),
                row(
                                "waits for the detachment",
                                released().attachedTo("n1", "n2").view(),
                                "tell Normal VolumeDelete: the volume is still attached to n1, n2")
                        .waits("the volume is still attached to n1, n2"),
                row(
                                "keeps the storage that another volume names too",
                                released().sharedWith("w").view(),
                                "tell Normal VolumeDelete: its storage is kept for volume w, which names the same")
                        .waits("its storage is kept for volume w, which names the same"),
                row(
                        "asks no pod: an attachment is what counts",
                        released().usedBy("p").view(),
                        INTEND),
                // the order: intent, look, call
                row("stores the intent first", released().view(), INTEND),
                row(
                        "stores its own over one of an earlier leader",
                        released().intent("1 delete 6 p").view(),
                        INTEND),
                row(
                        "stores its own over one of another process",
                        released().intent("1 delete 7 q").view(),
                        INTEND),
                row(
                        "stores its own over one to empty the volume",
                        released().intent(EMPTYING).view(),
                        INTEND),
                row(
                        "stores its own over one that cannot be read",
                        released().intent("2 delete 7 p").view(),
                        INTEND),
                row(
                        "then looks in the store who uses it",
                        released().intent(OURS).view(),
                        LOOK),
                row("then deletes", released().intent(OURS).looked().view(), DELETE),
                row(
                        "does not delete on a look that came before the intent",
                        released().looked().view(),
                        INTEND),
                row(
                                "leaves it to a newer leader for a while",
                                released().intent("1 delete 8 q").leftUntil(99).view())
                        .waits("a newer leader is reclaiming the volume"),
                row(
                        "deletes what was made for a claim that is bound to another volume",
                        released()
                                .madeBy("mem")
                                .claimNames("w")
                                .confirmed()
                                .intent(OURS)
                                .looked()
                                .view(),
                        DELETE),
                // failures
                row(
                        "says why the plugin could not delete, and tries again",
                        released()
                                .intent(OURS)
                                .callFailed(FailureKind.TRANSIENT, "no way")
                                .view(),
                        failed("VolumeFailedDelete", "no way"),
                        "tell Warning VolumeFailedDelete: no way",
                        LOOK),
                row(
                        "adds the plugin's advice",
                        released()
                                .intent(OURS)
                                .callFailed(VolumeException.transientFailure("no way")
                                        .withAdvice("open the door"))
                                .view(),
                        failed("VolumeFailedDelete", "no way — open the door"),
                        "tell Warning VolumeFailedDelete: no way — open the door",
                        LOOK),
                row(
                        "being in use is no failure",
                        released()
                                .intent(OURS)
                                .callFailed(FailureKind.IN_USE, "in use")
                                .view(),
                        "tell Normal VolumeDelete: in use",
                        LOOK),
                row(
                        "goes on with a volume that failed before",
                        volume().claimGone()
                                .failed("VolumeFailedDelete", "no way")
                                .view(),
                        INTEND));
    }

    private static Stream<PlanRow<VolumeView>> recycling() {
        String none = "no plugin here can recycle the volume";
        return Stream.of(
                row(
                                "fails where no plugin can recycle",
                                recycled()
                                        .reclaimer(new ReclaimerInfo("mem", "", true, false, false))
                                        .view(),
                                failed("VolumeFailedRecycle", none),
                                "tell Warning VolumeFailedRecycle: " + none)
                        .waits(none),
                row(
                                "does nothing before all users are known",
                                recycled().usersUnknown().view())
                        .waits("the attachments, nodes, pods and volumes of the cluster are not known completely"),
                row(
                                "waits for the detachment",
                                recycled().attachedTo("n1").view(),
                                "tell Normal VolumeFailedRecycle: the volume is still attached to n1")
                        .waits("the volume is still attached to n1"),
                row(
                                "waits for the pods that use it",
                                recycled().usedBy("p", "q").view(),
                                "tell Normal VolumeFailedRecycle: the volume is still used by pod p, q")
                        .waits("the volume is still used by pod p, q"),
                row(
                        "pods of a newer claim of the name do not count",
                        recycled().usedBy("p").nameReused().view(),
                        INTEND_EMPTYING),
                row("stores the intent first", recycled().view(), INTEND_EMPTYING),
                row("stores its own over one to delete", recycled().intent(OURS).view(), INTEND_EMPTYING),
                row("then empties, without a look", recycled().intent(EMPTYING).view(), RECYCLE),
                row(
                        "says why the plugin could not empty it, and tries again",
                        recycled()
                                .intent(EMPTYING)
                                .callFailed(FailureKind.FINAL, "no way")
                                .view(),
                        failed("VolumeFailedRecycle", "no way"),
                        "tell Warning VolumeFailedRecycle: no way",
                        RECYCLE),
                row(
                        "frees what is empty, and forgets the intent",
                        recycled()
                                .chosenByController()
                                .intent(EMPTYING)
                                .emptied()
                                .view(),
                        "write PersistentVolume v: spec.claimRef=null,"
                                + " metadata.annotations.pv.kubernetes.io/bound-by-controller=null,"
                                + " metadata.annotations.volume4j.io/reclaim-intent=null;"
                                + " write PersistentVolume/status v: status.phase=Available, status.lastPhaseTransitionTime=NOW"));
    }

    private static Stream<PlanRow<VolumeView>> removing() {
        return Stream.of(
                row(
                        "removes the object of deleted storage",
                        released().storageDeleted().view(),
                        "REMOVE delete object PersistentVolume//v"),
                row(
                        "then lets the object go, with its own finalizers only",
                        released()
                                .storageDeleted()
                                .deleting()
                                .finalizers("a/b", Annotation.RECLAIM_FINALIZER, Annotation.EXTERNAL_FINALIZER)
                                .view(),
                        "write PersistentVolume v: metadata.finalizers=[a/b]"),
                row(
                        "a volume that says Bound is marked as released first, since it is protected",
                        volume().claimGone().storageDeleted().deleting().view(),
                        RELEASED),
                row(
                        "has nothing left to do where only others keep it",
                        released().storageDeleted().deleting().finalizers("a/b").view()));
    }

    /** The call reads the claim again: it matters whether that is to be gone or to have another volume. */
    @Test
    void theCallKnowsWhyTheVolumeIsReclaimed() {
        assertThat(VolumePlanner.plan(released().intent(OURS).looked().view()).steps())
                .extracting(step -> ((BindingStep.Delete) step).claimGone())
                .containsExactly(true);
        VolumeView elsewhere = released()
                .madeBy("mem")
                .claimNames("w")
                .confirmed()
                .intent(OURS)
                .looked()
                .view();
        assertThat(VolumePlanner.plan(elsewhere).steps())
                .extracting(step -> ((BindingStep.Delete) step).claimGone())
                .containsExactly(false);
    }

    @Test
    void aReportSaysWhatItIsFor() {
        assertThat(VolumePlanner.plan(released()
                                .storageDeleted()
                                .deleting()
                                .finalizers(Annotation.RECLAIM_FINALIZER)
                                .view())
                        .steps())
                .extracting(ClusterStep::describe)
                .containsExactly("let volume v go");
    }

    @Test
    void looksAgainWhenTheNewerLeadersTimeIsOver() {
        assertThat(VolumePlanner.plan(
                                released().intent("1 delete 8 q").leftUntil(99).view())
                        .waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(99L);
    }

    private static VolumeGiven released() {
        return volume().phase("Released").claimGone();
    }

    private static VolumeGiven recycled() {
        return released().policy("Recycle").finalizers();
    }

    private static VolumeGiven retained(String phase) {
        return volume().policy("Retain").finalizers().phase(phase).claimGone();
    }

    private static String failed(String reason, String message) {
        return "write PersistentVolume/status v: status.phase=Failed, status.lastPhaseTransitionTime=NOW, status.reason="
                + reason + ", status.message=" + message;
    }
}
