package io.volume4j.core.control.modify;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.modify.ModifyGiven.NOW;
import static io.volume4j.core.control.modify.ModifyGiven.RARELY;
import static io.volume4j.core.control.modify.ModifyGiven.claim;
import static io.volume4j.core.control.modify.ModifyGiven.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the volume of a claim gets the attributes of another class, row by row. */
class ModifyPlannerTest {
    private static final String DOUBT = "an earlier call may have had its effect";
    private static final String STATUS = "write PersistentVolumeClaim/status c: ";
    private static final String INTENT =
            ", status.conditions=[{type=ModifyingVolume, status=True, reason=LeaderEpoch7}]";
    private static final String DOUBTFUL_INTENT =
            ", status.conditions=[{type=ModifyingVolume, status=True, reason=LeaderEpoch7, message=" + DOUBT + "}]";
    private static final String BEGIN = STATUS + begun("gold", "InProgress") + INTENT;
    private static final String CALL = "MODIFY give volume v the attributes of class gold";
    private static final String NO_WAY =
            "tell Warning VolumeModifyFailed: failed to apply volume attributes class \"gold\": no way";
    private static final String GIVE_UP = STATUS + "status.modifyVolumeStatus=null";
    private static final String MISSING = "volume attributes class \"gold\" does not exist";
    private static final String OTHERS =
            "volume attributes class \"gold\" is one of driver far, the volume is one of mem";
    private static final String NO_MODIFIER =
            "no plugin here changes the attributes of volume v; waiting for an external resizer";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<ModifyView> row) {
        row.check(ModifyPlanner::plan);
    }

    static Stream<PlanRow<ModifyView>> decides() {
        return Stream.of(beginning(), underWay(), failures(), givingUp()).flatMap(rows -> rows);
    }

    private static Stream<PlanRow<ModifyView>> beginning() {
        return Stream.of(
                row("does nothing for a claim without a class", claim().view()),
                row(
                        "does nothing for a claim that has its class",
                        claim().wantsClass("gold").hasClass("gold").view()),
                row(
                        "does nothing for a claim that is deleted",
                        gold().claimDeleting().view()),
                row(
                        "does nothing for a volume that is deleted",
                        gold().volumeDeleting().view()),
                row("stores the intent before anything is called", gold().view(), BEGIN),
                row(
                        "changes from one class to another",
                        gold().hasClass("silver").view(),
                        BEGIN),
                row(
                                "does nothing before the classes are known",
                                claim().wantsClass("gold")
                                        .wantedClass(Lookup.unknown())
                                        .view())
                        .waits("the volume attributes classes of the cluster are not known completely"),
                row(
                                "says that the class is missing",
                                claim().wantsClass("gold")
                                        .wantedClass(Lookup.missing())
                                        .view(),
                                "tell Warning VolumeModifyWaits: " + MISSING,
                                STATUS + begun("gold", "Pending"))
                        .waits(MISSING),
                row(
                                "says so in the status once",
                                claim().wantsClass("gold")
                                        .begunClass("gold", "Pending")
                                        .wantedClass(Lookup.absent())
                                        .view(),
                                "tell Warning VolumeModifyWaits: " + MISSING)
                        .waits(MISSING),
                row(
                        "goes on when the class is there",
                        gold().begunClass("gold", "Pending").view(),
                        BEGIN),
                row(
                                "refuses a class of another driver",
                                claim().wantsClass("gold")
                                        .wantedClass(type("gold", "far"))
                                        .view(),
                                "tell Warning VolumeModifyWaits: " + OTHERS)
                        .waits(OTHERS),
                row(
                                "waits for a resizer where the plugin changes nothing",
                                gold().pluginChangesNothing().view(),
                                "tell Warning VolumeModifyWaits: " + NO_MODIFIER)
                        .waits(NO_MODIFIER));
    }

    private static Stream<PlanRow<ModifyView>> underWay() {
        return Stream.of(
                row("calls once the intent is stored", ours().view(), CALL),
                row(
                                "leaves it to a newer leader for a while",
                                ours().leftUntil(99).view())
                        .waits("a newer leader is changing the volume's attributes"),
                row(
                        "takes over the intent of an earlier leader, of whose calls nothing is known",
                        gold().begunClass("gold", "InProgress")
                                .begunClass(type("gold", "mem"))
                                .modifying(6, "")
                                .view(),
                        STATUS + begun("gold", "InProgress") + DOUBTFUL_INTENT),
                row(
                                "finishes what was begun before another class",
                                ours().wantsClass("bronze")
                                        .wantedClass(type("bronze", "mem"))
                                        .view(),
                                CALL)
                        .waits("class gold was begun with and is finished before another one"),
                row(
                        "stores what the backend took over, the volume before the claim",
                        ours().remembers(before -> before.changed("gold")).view(),
                        "write PersistentVolume v: spec.volumeAttributesClassName=gold; " + GIVE_UP
                                + ", status.conditions=[], status.currentVolumeAttributesClassName=gold"),
                row(
                        "stores only what the volume does not say yet",
                        ours().hasClass("gold")
                                .remembers(before -> before.changed("gold"))
                                .view(),
                        GIVE_UP + ", status.conditions=[], status.currentVolumeAttributesClassName=gold"),
                row(
                        "does not take one class for another",
                        ours().remembers(before -> before.changed("bronze")).view(),
                        CALL),
                row(
                                "waits where the class is gone by now",
                                gold().begunClass("gold", "InProgress")
                                        .begunClass(Lookup.missing())
                                        .modifying(7, "")
                                        .view(),
                                "tell Warning VolumeModifyWaits: " + MISSING)
                        .waits(MISSING),
                row(
                        "takes an unknown word for something that was begun",
                        gold().begunClass("gold", "Strange")
                                .begunClass(type("gold", "mem"))
                                .modifying(7, "")
                                .view(),
                        CALL));
    }

    private static Stream<PlanRow<ModifyView>> failures() {
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
                        STATUS + begun("gold", "Infeasible")
                                + ", status.conditions=[{type=ModifyVolumeError, status=True, message=no way}]"),
                row(
                        "asks again what was refused long ago",
                        failed(FailureKind.INFEASIBLE, NOW - RARELY).view(),
                        NO_WAY,
                        CALL),
                row("rests after a refusal", refused(NOW - RARELY + 1).view(), NO_WAY)
                        .waits("the class was refused; it is tried again after 5 minutes"),
                row("begins again after the rest", refused(NOW - RARELY).view(), NO_WAY, BEGIN),
                row(
                        "begins at once with another class",
                        refused(NOW)
                                .wantsClass("bronze")
                                .wantedClass(type("bronze", "mem"))
                                .view(),
                        STATUS + begun("bronze", "InProgress") + INTENT),
                row(
                        "takes another class after a call that failed for good",
                        failed(FailureKind.FINAL, NOW)
                                .wantsClass("bronze")
                                .wantedClass(type("bronze", "mem"))
                                .view(),
                        STATUS + begun("bronze", "InProgress")),
                row(
                        "calls again for the same class after a call that failed for good",
                        failed(FailureKind.FINAL, NOW).view(),
                        NO_WAY,
                        CALL));
    }

    private static Stream<PlanRow<ModifyView>> givingUp() {
        return Stream.of(
                row(
                        "gives up what was refused and is not asked for any more",
                        claim().begunClass("gold", "Infeasible")
                                .condition("ModifyVolumeError")
                                .view(),
                        GIVE_UP + ", status.conditions=[]"),
                row(
                        "gives up what was not begun",
                        claim().begunClass("gold", "Pending").view(),
                        GIVE_UP),
                row(
                        "gives up what failed for good and is not asked for any more",
                        failed(FailureKind.FINAL, NOW)
                                .wantsClass("silver")
                                .hasClass("silver")
                                .view(),
                        GIVE_UP + ", status.conditions=[]"),
                row(
                                "does not give up a call that may have its effect yet",
                                ours().wantsClass("silver").hasClass("silver").view(),
                                CALL)
                        .waits("class gold was begun with and is finished before another one"),
                row(
                        "applies the class that the volume had once more, where an earlier call is in doubt",
                        claim().wantsClass("silver")
                                .hasClass("silver")
                                .wantedClass(type("silver", "mem"))
                                .begunClass("gold", "Infeasible")
                                .remembers(before -> before.failed(VolumeException.uncertain("no way"), "gold", NOW))
                                .view(),
                        STATUS + begun("silver", "InProgress") + DOUBTFUL_INTENT),
                row(
                                "keeps the doubt for the next process while the class is missing",
                                claim().wantsClass("bronze")
                                        .hasClass("silver")
                                        .wantedClass(Lookup.absent())
                                        .begunClass("gold", "Infeasible")
                                        .refused("no way; " + DOUBT)
                                        .view(),
                                "tell Warning VolumeModifyWaits: volume attributes class \"bronze\" does not exist",
                                STATUS + begun("bronze", "Pending")
                                        + ", status.conditions=[{type=ModifyVolumeError, status=True, message=" + DOUBT
                                        + "}]")
                        .waits("volume attributes class \"bronze\" does not exist"),
                row(
                        "applies the class that the volume had once more, also in that process",
                        claim().wantsClass("silver")
                                .hasClass("silver")
                                .wantedClass(type("silver", "mem"))
                                .begunClass("bronze", "Pending")
                                .refused(DOUBT)
                                .view(),
                        STATUS + begun("silver", "InProgress") + DOUBTFUL_INTENT));
    }

    @Test
    void looksAgainWhenTheRestIsOver() {
        assertThat(ModifyPlanner.plan(refused(NOW - 7).view()).waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(NOW - 7 + RARELY);
    }

    @Test
    void tellsWhatWasBegunAndByWhom() {
        assertThat(ModifyPlanner.leaderOf(ours().view().claim())).isEqualTo(7);
        assertThat(ModifyPlanner.begunClass(ours().view().claim())).isEqualTo("gold");
        assertThat(ModifyPlanner.leaderOf(claim().view().claim())).isZero();
        assertThat(ModifyPlanner.begunClass(claim().view().claim())).isEmpty();
    }

    private static String begun(String name, String word) {
        return "status.modifyVolumeStatus={targetVolumeAttributesClassName=" + name + ", status=" + word + "}";
    }

    private static ModifyGiven gold() {
        return claim().wantsClass("gold").wantedClass(type("gold", "mem"));
    }

    private static ModifyGiven ours() {
        return gold().begunClass("gold", "InProgress")
                .begunClass(type("gold", "mem"))
                .modifying(7, "");
    }

    private static ModifyGiven failed(FailureKind kind, long at) {
        return ours().remembers(before -> before.failed(VolumeException.of(kind, "no way"), "gold", at));
    }

    private static ModifyGiven refused(long at) {
        return gold().begunClass("gold", "Infeasible")
                .remembers(before -> before.failed(VolumeException.of(FailureKind.INFEASIBLE, "no way"), "gold", at));
    }
}
