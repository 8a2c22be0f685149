package io.volume4j.core.control.expand;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.expand.ExpandGiven.NOW;
import static io.volume4j.core.control.expand.ExpandGiven.RARELY;
import static io.volume4j.core.control.expand.ExpandGiven.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the volume of a claim becomes larger, row by row. {@code ExpandTargetTest} says which size is next. */
class ExpandPlannerTest {
    private static final long GI = 1L << 30;
    private static final String OURS = "ControllerResizeInProgress";
    private static final String REFUSED = "ControllerResizeInfeasible";
    private static final String NODES = "NodeResizePending";
    private static final String NODE_REFUSED = "NodeResizeInfeasible";
    private static final String DOUBT = "an earlier call may have had its effect";

    private static final String STATUS = "write PersistentVolumeClaim/status c: ";
    private static final String TURN = "status.allocatedResourceStatuses.storage=";
    private static final String INTENT = "status.conditions=[{type=Resizing, status=True, reason=LeaderEpoch7}]";
    private static final String DOUBTFUL_INTENT =
            "status.conditions=[{type=Resizing, status=True, reason=LeaderEpoch7, message=" + DOUBT + "}]";
    private static final String BEGIN =
            STATUS + "status.allocatedResources.storage=2Gi, " + TURN + OURS + ", " + INTENT;
    private static final String CALL = "EXPAND expand volume v to 2147483648 bytes with mem";
    private static final String NO_WAY = "tell Warning VolumeResizeFailed: failed to expand volume v: no way";
    private static final String PENDING =
            "status.conditions=[{type=FileSystemResizePending, status=True, message=waiting for"
                    + " a node to expand the filesystem}]";
    private static final String FORBIDDEN = "storage class \"fast\" does not allow its volumes to be expanded";
    private static final String NO_RESIZER = "waiting for an external resizer to expand volume v";
    private static final String NODE = "waiting for the node that uses the volume to expand its filesystem";
    private static final String IN_USE = "volume v can be expanded only while no pod uses it, and pod p, q does";
    private static final String RESTS =
            "it was refused as it stands; it is tried again after 5 minutes, or when the request changes";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<ExpandView> row) {
        row.check(ExpandPlanner::plan);
    }

    static Stream<PlanRow<ExpandView>> decides() {
        return Stream.of(whether(), who(), how(), failures(), nodes()).flatMap(rows -> rows);
    }

    private static Stream<PlanRow<ExpandView>> whether() {
        return Stream.of(
                row("does nothing for a claim that has what it asks for", claim().view()),
                row(
                        "does nothing for a claim that asks for less",
                        claim().has("2Gi").volumeSays("2Gi").view()),
                row(
                        "does nothing for a claim that says no size yet",
                        claim().wants("2Gi").has("").view()),
                row(
                        "does nothing for a volume that says no size",
                        claim().wants("2Gi").volumeSays("").view()),
                row(
                        "does nothing for a claim that is deleted",
                        claim().wants("2Gi").claimDeleting().view()),
                row(
                        "does nothing for a volume that is deleted",
                        claim().wants("2Gi").volumeDeleting().view()),
                row(
                        "takes away what was kept for the time of the expansion",
                        claim().preResize("1Gi").condition("Resizing").view(),
                        "write PersistentVolume v: metadata.annotations.volume.alpha.kubernetes.io/pre-resize-capacity=null; "
                                + STATUS + "status.conditions=[]"),
                row(
                        "keeps it as long as the volume is larger than the claim",
                        claim().volumeSays("2Gi").preResize("1Gi").view()),
                row(
                        "closes an expansion that was refused and is not asked for any more",
                        claim().begun("2Gi", REFUSED)
                                .condition("ControllerResizeError")
                                .view(),
                        STATUS + "status.allocatedResources.storage=null, " + TURN + "null, status.conditions=[]"),
                row(
                        "asks the backend for the true size first, where an earlier call may have had its effect",
                        claim().begun("2Gi", REFUSED)
                                .remembers(before -> before.failed(uncertain(), 2 * GI, 0))
                                .view(),
                        STATUS + "status.allocatedResources.storage=1Gi, " + TURN + OURS + ", " + DOUBTFUL_INTENT));
    }

    private static Stream<PlanRow<ExpandView>> who() {
        return Stream.of(
                row(
                                "leaves a word that it does not know to who wrote it",
                                claim().wants("2Gi").begun("2Gi", "Strange").view())
                        .waits("the claim's allocatedResourceStatuses hold a word that is not known here"),
                row(
                                "leaves an expansion to a newer leader for a while",
                                claim().wants("2Gi")
                                        .begun("2Gi", OURS)
                                        .resizing(8, "")
                                        .leftUntil(99)
                                        .view())
                        .waits("a newer leader is expanding the volume"),
                row(
                                "waits for a resizer where no plugin is here",
                                claim().wants("2Gi")
                                        .expander(ExpanderInfo.none())
                                        .view(),
                                "tell Normal ExternalExpanding: " + NO_RESIZER)
                        .waits(NO_RESIZER),
                row(
                                "says so of a plugin that does not expand",
                                claim().wants("2Gi")
                                        .expander(new ExpanderInfo("mem", false, false, true))
                                        .view(),
                                "tell Normal ExternalExpanding: plugin mem does not expand volumes; waiting for an external"
                                        + " resizer")
                        .waits("plugin mem does not expand volumes; waiting for an external resizer"),
                row(
                                "obeys the class",
                                claim().wants("2Gi").classForbids().view(),
                                "tell Warning VolumeResizeFailed: " + FORBIDDEN)
                        .waits(FORBIDDEN),
                row(
                        "goes on with what was begun before the class forbade it",
                        claim().wants("2Gi")
                                .classForbids()
                                .begun("2Gi", OURS)
                                .resizing(7, "")
                                .view(),
                        CALL));
    }

    private static Stream<PlanRow<ExpandView>> how() {
        return Stream.of(
                row(
                        "stores the intent before anything is called",
                        claim().wants("2Gi").view(),
                        BEGIN),
                row("then calls", ours().view(), CALL),
                row(
                        "takes over the intent of an earlier leader, of whose calls nothing is known",
                        claim().wants("2Gi").begun("2Gi", OURS).resizing(6, "").view(),
                        STATUS + DOUBTFUL_INTENT),
                row(
                        "finishes a size that was begun though more is asked for by then",
                        ours().wants("3Gi").view(),
                        CALL),
                row(
                        "stores what the backend gave, and hands it to the nodes",
                        ours().remembers(before -> before.grown(2 * GI, true)).view(),
                        "write PersistentVolume v: spec.capacity.storage=2Gi,"
                                + " metadata.annotations.volume.alpha.kubernetes.io/pre-resize-capacity=1Gi; " + STATUS
                                + TURN
                                + NODES + ", " + PENDING),
                row(
                        "is done where no node has to follow",
                        ours().remembers(before -> before.grown(2 * GI, false)).view(),
                        "write PersistentVolume v: spec.capacity.storage=2Gi; " + STATUS
                                + "status.capacity.storage=2Gi, status.allocatedResources.storage=null, " + TURN
                                + "null, status.conditions=[]"),
                row(
                        "is done where the plugin has no part for nodes",
                        ours().expander(new ExpanderInfo("mem", true, false, true))
                                .remembers(before -> before.grown(2 * GI, true))
                                .view(),
                        "write PersistentVolume v: spec.capacity.storage=2Gi; " + STATUS
                                + "status.capacity.storage=2Gi, status.allocatedResources.storage=null, " + TURN
                                + "null, status.conditions=[]"),
                row(
                        "stores more than was asked for",
                        ours().remembers(before -> before.grown(3 * GI, true)).view(),
                        "write PersistentVolume v: spec.capacity.storage=3Gi,"
                                + " metadata.annotations.volume.alpha.kubernetes.io/pre-resize-capacity=1Gi; " + STATUS
                                + "status.allocatedResources.storage=3Gi, " + TURN + NODES + ", " + PENDING),
                row(
                        "calls again for what the backend fell short of",
                        ours().remembers(before -> before.grown(2 * GI - 1, true))
                                .view(),
                        CALL),
                // in use
                row(
                        "does not ask for pods where the volume grows in use",
                        ours().usedBy("p", "q").podsUnknown().view(),
                        CALL),
                row(
                                "does nothing before all pods are known, where it grows only without them",
                                offline().podsUnknown().view())
                        .waits("the pods of the cluster are not known completely"),
                row(
                                "waits for the pods",
                                offline().usedBy("p", "q").view(),
                                "tell Warning VolumeResizeFailed: " + IN_USE)
                        .waits(IN_USE),
                row("begins where no pod uses it", offline().view(), BEGIN),
                row(
                                "waits for the pods of a volume that said that it is in use",
                                ours().usedBy("p", "q")
                                        .remembers(before -> before.failed(
                                                VolumeException.of(FailureKind.IN_USE, "no way"), 2 * GI, NOW))
                                        .view(),
                                "tell Warning VolumeResizeFailed: " + IN_USE)
                        .waits(IN_USE));
    }

    private static Stream<PlanRow<ExpandView>> failures() {
        return Stream.of(
                row(
                        "says why a call failed, and calls again",
                        failed(FailureKind.TRANSIENT, NOW).view(),
                        NO_WAY,
                        CALL),
                row(
                        "says that it can never be done",
                        failed(FailureKind.INFEASIBLE, NOW).view(),
                        NO_WAY,
                        STATUS + TURN + REFUSED
                                + ", status.conditions=[{type=ControllerResizeError, status=True, message=no way}]"),
                row(
                        "says with it that an earlier call is in doubt",
                        ours().remembers(before -> before.failed(uncertain(), 2 * GI, NOW))
                                .remembers(before -> before.failed(
                                        VolumeException.of(FailureKind.INFEASIBLE, "no way"), 2 * GI, NOW))
                                .view(),
                        NO_WAY,
                        STATUS + TURN + REFUSED
                                + ", status.conditions=[{type=ControllerResizeError, status=True, message=no way; "
                                + DOUBT
                                + "}]"),
                row(
                        "asks again after a while what was refused long ago",
                        failed(FailureKind.INFEASIBLE, NOW - RARELY).view(),
                        NO_WAY,
                        CALL),
                row("rests after a refusal", refused(NOW - RARELY + 1).view(), NO_WAY)
                        .waits(RESTS),
                row(
                        "begins again after the rest",
                        refused(NOW - RARELY).view(),
                        NO_WAY,
                        STATUS + TURN + OURS + ", " + INTENT),
                row(
                        "begins at once for another size",
                        refused(NOW).wants("3Gi").view(),
                        STATUS + "status.allocatedResources.storage=3Gi, " + TURN + OURS + ", " + INTENT),
                row(
                        "takes another size after a call that failed for good",
                        failed(FailureKind.FINAL, NOW).wants("3Gi").view(),
                        STATUS + "status.allocatedResources.storage=3Gi"),
                row(
                        "closes what failed for good and is not asked for any more",
                        failed(FailureKind.FINAL, NOW).wants("1Gi").view(),
                        STATUS + "status.allocatedResources.storage=null, " + TURN + "null, status.conditions=[]"));
    }

    private static Stream<PlanRow<ExpandView>> nodes() {
        return Stream.of(
                row(
                                "waits for the node",
                                claim().wants("2Gi")
                                        .volumeSays("2Gi")
                                        .preResize("1Gi")
                                        .begun("2Gi", NODES)
                                        .view(),
                                "tell Normal FileSystemResizeRequired: " + NODE)
                        .waits(NODE),
                row(
                        "hands a plugin that only nodes expand to them at once",
                        claim().wants("2Gi")
                                .expander(new ExpanderInfo("mem", false, true, true))
                                .view(),
                        "write PersistentVolume v: spec.capacity.storage=2Gi,"
                                + " metadata.annotations.volume.alpha.kubernetes.io/pre-resize-capacity=1Gi; " + STATUS
                                + "status.allocatedResources.storage=2Gi, " + TURN + NODES + ", " + PENDING),
                row(
                                "rests after a node's refusal",
                                claim().wants("2Gi")
                                        .volumeSays("2Gi")
                                        .preResize("1Gi")
                                        .begun("2Gi", NODE_REFUSED)
                                        .nodeRefused(RARELY - 1, "2Gi")
                                        .view())
                        .waits(RESTS),
                row(
                        "asks the backend again after the rest",
                        claim().wants("2Gi")
                                .volumeSays("2Gi")
                                .preResize("1Gi")
                                .begun("2Gi", NODE_REFUSED)
                                .nodeRefused(RARELY, "2Gi")
                                .view(),
                        STATUS + TURN + OURS + ", " + INTENT),
                row(
                        "asks at once for another size",
                        claim().wants("3Gi")
                                .volumeSays("2Gi")
                                .preResize("1Gi")
                                .begun("2Gi", NODE_REFUSED)
                                .nodeRefused(0, "2Gi")
                                .view(),
                        STATUS + TURN + OURS + ", " + INTENT));
    }

    @Test
    void looksAgainWhenTheRestIsOver() {
        assertThat(ExpandPlanner.plan(refused(NOW - 7).view()).waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(NOW - 7 + RARELY);
    }

    @Test
    void tellsWhoseIntentAClaimHas() {
        assertThat(ExpandPlanner.leaderOf(ours().view().claim())).isEqualTo(7);
        assertThat(ExpandPlanner.leaderOf(claim().view().claim())).isZero();
    }

    private static VolumeException uncertain() {
        return VolumeException.uncertain("no way");
    }

    private static ExpandGiven ours() {
        return claim().wants("2Gi").begun("2Gi", OURS).resizing(7, "");
    }

    private static ExpandGiven offline() {
        return claim().wants("2Gi").expander(new ExpanderInfo("mem", true, true, false));
    }

    private static ExpandGiven failed(FailureKind kind, long at) {
        return ours().remembers(before -> before.failed(VolumeException.of(kind, "no way"), 2 * GI, at));
    }

    private static ExpandGiven refused(long at) {
        return claim().wants("2Gi")
                .begun("2Gi", REFUSED)
                .remembers(before -> before.failed(VolumeException.of(FailureKind.INFEASIBLE, "no way"), 2 * GI, at));
    }
}
