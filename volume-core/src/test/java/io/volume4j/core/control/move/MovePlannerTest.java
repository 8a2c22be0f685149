package io.volume4j.core.control.move;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.move.MoveGiven.NEW;
import static io.volume4j.core.control.move.MoveGiven.anew;
import static io.volume4j.core.control.move.MoveGiven.bound;
import static io.volume4j.core.control.move.MoveGiven.claimWith;
import static io.volume4j.core.control.move.MoveGiven.copyClaim;
import static io.volume4j.core.control.move.MoveGiven.copying;
import static io.volume4j.core.control.move.MoveGiven.deleting;
import static io.volume4j.core.control.move.MoveGiven.free;
import static io.volume4j.core.control.move.MoveGiven.labelled;
import static io.volume4j.core.control.move.MoveGiven.move;
import static io.volume4j.core.control.move.MoveGiven.node;
import static io.volume4j.core.control.move.MoveGiven.ofUnknownPolicy;
import static io.volume4j.core.control.move.MoveGiven.reserved;
import static io.volume4j.core.control.move.MoveGiven.switching;
import static io.volume4j.core.control.move.MoveGiven.type;
import static io.volume4j.core.control.move.MoveGiven.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.ClusterWork.Create;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.model.ClaimHold;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a claim's data moves to a volume of another class, row by row. */
class MovePlannerTest {
    private static final String NOT_ALL = "the claims of the cluster are not known completely";
    private static final String STATUS = "write VolumeMove/status m: ";
    private static final String GO = "write VolumeMove m: metadata.finalizers=[]";
    private static final String CREATE_COPY = "CREATE create PersistentVolumeClaim/default/move-u-m";
    private static final String REMOVE_COPY = "REMOVE delete object PersistentVolumeClaim/default/move-u-m";
    private static final String REMOVE_OLD = "REMOVE delete object PersistentVolumeClaim/default/c";
    private static final String VERIFY_OLD = "VERIFY read PersistentVolumeClaim/default/c from the store";
    private static final String RELEASE =
            "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/held-by-move=null";
    private static final String EARLIER = "an earlier copy, PersistentVolumeClaim/default/move-u-m, is removed first";
    private static final String IN_USE =
            "claim c is used by Pod/default/p; its data is copied when they have ended, and no new pod gets it until then";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<MoveView> row) {
        row.check(MovePlanner::plan);
    }

    static Stream<PlanRow<MoveView>> decides() {
        return Stream.of(beginning(), holding(), copies(), undoing(), switches(), finishing())
                .flatMap(rows -> rows);
    }

    private static Stream<PlanRow<MoveView>> beginning() {
        return Stream.of(
                row(
                        "keeps its object before anything else",
                        move().notKept().view(),
                        "write VolumeMove m: metadata.finalizers=[volume4j.io/volume-move]"),
                row(
                        "records the claim before anything changes",
                        move().view(),
                        STATUS + "status.phase=Copying, status.claimUID=u-c, status.sourceVolume=old"),
                row(
                                "tells that there is no such claim",
                                move().claim(Lookup.missing()).view(),
                                "tell Normal MoveWaits: claim c does not exist")
                        .waits("claim c does not exist"),
                row(
                                "tells nothing before claims are known",
                                move().claim(Lookup.unknown()).view())
                        .waits("the objects that the move names are not known completely"),
                row(
                                "waits for a claim without a volume",
                                move().source(Lookup.unnamed()).view(),
                                "tell Normal MoveWaits: claim c is not bound to a volume")
                        .waits("claim c is not bound to a volume"),
                row(
                                "waits for another move of the claim",
                                move().claim(Lookup.found(bound("c", "u-c", "old", "other/u-o")))
                                        .view(),
                                "tell Normal MoveWaits: claim default/c is held while VolumeMove other moves its data to another volume")
                        .waits("claim default/c is held while VolumeMove other moves its data to another volume"),
                row(
                                "does not begin with a volume whose policy it could not restore",
                                move().source(Lookup.found(ofUnknownPolicy("old", "c", "u-c")))
                                        .view(),
                                "tell Normal MoveWaits: the reclaim policy of volume old is not known here")
                        .waits("the reclaim policy of volume old is not known here"),
                row(
                        "lets a move go that has not begun",
                        move().copy(Lookup.absent()).deleting().view(),
                        GO));
    }

    private static Stream<PlanRow<MoveView>> holding() {
        PersistentVolumeClaim free = bound("c", "u-c", "old", "");
        return Stream.of(
                row(
                        "holds the claim first",
                        copying().oldClaim(Lookup.found(free)).view(),
                        "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/held-by-move=m/u-m"),
                row("waits until all pods are known", copying().usersUnknown().view())
                        .waits("not all that may use PersistentVolumeClaim/default/c is known"),
                row(
                                "waits for the pods that have it",
                                copying().users("Pod/default/p").view(),
                                "tell Normal MoveWaits: " + IN_USE)
                        .waits(IN_USE),
                row(
                        "asks the store when no pod is known",
                        copying().unread(At.PODS, At.NODES).view(),
                        "LOOK read from the store whether VolumeMove/default/m is in use",
                        "LOOK read from the store whether VolumeMove/default/m is in use"),
                row(
                                "waits for what the store shows",
                                copying().seen("Pod/default/p").view(),
                                "tell Normal MoveWaits: " + IN_USE)
                        .waits(IN_USE, "the store shows a use that no watch has shown yet"),
                row(
                                "stores that a copy was made under a pod",
                                copying().copied().users("Pod/default/p").view(),
                                "write PersistentVolumeClaim move-u-m: metadata.annotations.volume4j.io/move-given-up=u-m",
                                "tell Normal MoveWaits: " + IN_USE)
                        .waits(IN_USE),
                row(
                                "then discards it",
                                copying()
                                        .copied()
                                        .copy(Lookup.found(givenUp(copyClaim("Bound", NEW, "u-m"))))
                                        .users("Pod/default/p")
                                        .view(),
                                REMOVE_COPY,
                                "tell Normal MoveWaits: " + IN_USE)
                        .waits(IN_USE),
                row(
                                "also where the pod has ended meanwhile",
                                copying()
                                        .copied()
                                        .copy(Lookup.found(givenUp(copyClaim("Bound", NEW, "u-m"))))
                                        .view(),
                                REMOVE_COPY,
                                "tell Normal MoveWaits: " + EARLIER)
                        .waits(EARLIER));
    }

    private static Stream<PlanRow<MoveView>> copies() {
        String name = "claim move-u-m has the name that the copy needs, and another made it";
        String wait =
                "class fast waits for its first consumer: write spec.nodeName, the node where the claim's pods will run";
        String clone =
                "class fast cannot clone volume old: one driver of this controller must make both volumes and fill volumes from"
                        + " claims";
        String noRoom =
                "no volume of class fast could be made for node n1, see the events of PersistentVolumeClaim/default/move-u-m; it"
                        + " is tried again. Delete this move to give up";
        String filling =
                "the data is copied into the volume of PersistentVolumeClaim/default/move-u-m; its events say how far that"
                        + " is";
        return Stream.of(
                row("makes the claim that is filled", copying().view(), CREATE_COPY),
                row(
                                "waits for its class",
                                copying().storageClass(Lookup.missing()).view(),
                                "tell Normal MoveWaits: class fast does not exist")
                        .waits("class fast does not exist"),
                row(
                        "needs a node for a class that waits for one",
                        copying()
                                .storageClass(Lookup.found(type("WaitForFirstConsumer")))
                                .view(),
                        failed(wait)),
                row(
                        "takes the node that the user names",
                        copying()
                                .storageClass(Lookup.found(type("WaitForFirstConsumer")))
                                .spec("nodeName: n1")
                                .view(),
                        CREATE_COPY),
                row(
                        "clones nothing that the driver cannot clone",
                        copying().spec("method: Clone").clonesNot().view(),
                        failed(clone)),
                row(
                                "does not switch to a volume whose policy it could not restore",
                                copying()
                                        .copied()
                                        .target(Lookup.found(ofUnknownPolicy(NEW, "move-u-m", "u-copy")))
                                        .view(),
                                "tell Normal MoveWaits: the reclaim policy of volume " + NEW + " is not known here")
                        .waits("the reclaim policy of volume " + NEW + " is not known here"),
                row(
                                "waits until it is filled",
                                copying()
                                        .copy(Lookup.found(copyClaim("Pending", "", "u-m")))
                                        .view(),
                                "tell Normal MoveWaits: " + filling)
                        .waits(filling),
                row(
                        "selects the node again that a provisioner took back",
                        copying().nodeless(Lookup.found(node())).view(),
                        "write PersistentVolumeClaim move-u-m: metadata.annotations.volume.kubernetes.io/selected-node=n1"),
                row(
                                "but not at once",
                                copying()
                                        .nodeless(Lookup.found(node()))
                                        .nodePause(7)
                                        .view(),
                                "tell Normal MoveWaits: " + noRoom)
                        .waits(noRoom),
                row(
                        "fails where that node does not exist",
                        copying().nodeless(Lookup.missing()).view(),
                        failed("node n1 does not exist; move again, with another node in spec.nodeName")),
                row(
                                "waits until nodes are known",
                                copying().nodeless(Lookup.unknown()).view())
                        .waits("the nodes of the cluster are not known completely"),
                row(
                        "fails where the copy cannot be filled",
                        copying()
                                .copy(Lookup.found(copyClaim("Pending", "", "u-m")))
                                .copyRefused("no VolumePopulator is registered")
                                .view(),
                        failed("the data cannot be copied: no VolumePopulator is registered")),
                row(
                        "takes no volume for a copy that was there before",
                        copying()
                                .copy(Lookup.found(copyClaim("Bound", "free", "u-m")))
                                .target(Lookup.found(volume("free", "Delete", "move-u-m", "u-copy")))
                                .view(),
                        failed(
                                "PersistentVolumeClaim/default/move-u-m was bound to volume free, which was not made for it and does"
                                        + " not hold the data; make no free volumes of class fast and move again")),
                row(
                        "takes no claim of another for its copy",
                        copying()
                                .copy(Lookup.found(copyClaim("Bound", NEW, "u-x")))
                                .view(),
                        failed(name)),
                row(
                        "asks the store again before the copy counts",
                        copying().copied().unread(At.PODS).view(),
                        "LOOK read from the store whether VolumeMove/default/m is in use"),
                row(
                        "switches when the copy is bound",
                        copying().copied().view(),
                        "write PersistentVolumeClaim move-u-m: metadata.annotations.volume4j.io/move-given-up=null; "
                                + STATUS + "status.phase=Switching, status.claim=…"));
    }

    private static Stream<PlanRow<MoveView>> undoing() {
        String deleted = "claim c was deleted before its data was copied";
        return Stream.of(
                row(
                        "fails when the claim is deleted",
                        copying()
                                .oldClaim(Lookup.found(deleting(bound("c", "u-c", "old", "m/u-m"))))
                                .view(),
                        failed(deleted)),
                row(
                        "asks the store before it believes that the claim is gone",
                        copying().oldClaim(Lookup.missing()).view(),
                        VERIFY_OLD),
                row(
                        "fails when the claim is gone",
                        copying().oldClaim(Lookup.absent()).view(),
                        failed(deleted)),
                row(
                        "undoes a deleted move: the copy first",
                        copying().copied().deleting().view(),
                        REMOVE_COPY),
                row(
                        "then asks the store, because its creation may be under way",
                        copying().deleting().view(),
                        "VERIFY read PersistentVolumeClaim/default/move-u-m from the store"),
                row("then the hold", copying().copy(Lookup.absent()).deleting().view(), RELEASE),
                row(
                        "then its object",
                        copying()
                                .copy(Lookup.absent())
                                .oldClaim(Lookup.found(bound("c", "u-c", "old", "")))
                                .deleting()
                                .view(),
                        GO),
                row(
                        "a failed move ends the same way",
                        copying().copy(Lookup.absent()).phase("Failed").view(),
                        RELEASE),
                row(
                        "and asks nothing when it has ended",
                        copying()
                                .notKept()
                                .oldClaim(Lookup.found(bound("c", "u-c", "old", "")))
                                .phase("Failed")
                                .view()),
                row(
                                "decides nothing about a claim that is not known",
                                copying().oldClaim(Lookup.unknown()).view())
                        .waits(NOT_ALL));
    }

    private static Stream<PlanRow<MoveView>> switches() {
        String gone = "volume pvc-u-copy, which holds the copied data, is gone";
        String lost = gone
                + "; the old volume old has the data: delete this move, remove the claimRef of that volume when the old claim is"
                + " gone, and make a claim with the volume's name in spec.volumeName";
        String taken = "volume pvc-u-copy, which holds the copied data, is deleted or belongs to another claim";
        String late = "claim c was used by Pod/default/p after its data was copied; the copy is given up";
        String unreserved =
                "volume pvc-u-copy, which holds the copied data, is not reserved for the claim any more: delete this move, and"
                        + " make a claim with the volume's name in spec.volumeName if no other claim has the volume";
        String deleted = "claim c is deleted, to be made anew";
        return Stream.of(
                row(
                        "keeps both volumes before a claim goes",
                        switching().view(),
                        "write PersistentVolume pvc-u-copy: spec.persistentVolumeReclaimPolicy=Retain; write PersistentVolume old:"
                                + " spec.persistentVolumeReclaimPolicy=Retain"),
                row("removes the copy's claim first", kept(switching()).view(), REMOVE_COPY),
                row(
                        "asks the store whether it is gone",
                        kept(switching()).copy(Lookup.missing()).view(),
                        "VERIFY read PersistentVolumeClaim/default/move-u-m from the store"),
                row(
                        "reserves the new volume for the name before the old claim goes",
                        kept(switching()).copy(Lookup.absent()).view(),
                        "write PersistentVolume pvc-u-copy: spec.claimRef.apiVersion=v1, spec.claimRef.kind=PersistentVolumeClaim,"
                                + " spec.claimRef.namespace=default, spec.claimRef.name=c, spec.claimRef.uid=null,"
                                + " spec.claimRef.resourceVersion=null, metadata.annotations.volume4j.io/move=u-m,"
                                + " metadata.annotations.pv.kubernetes.io/bound-by-controller=null"),
                row(
                        "asks the store for pods once more before the old claim goes",
                        ready().unread(At.PODS).view(),
                        "LOOK read from the store whether VolumeMove/default/m is in use"),
                row(
                        "stores once more how the old claim is, if a user has changed it since",
                        ready().unread(At.PODS)
                                .oldClaim(Lookup.found(labelled(
                                        bound("c", "u-c", "old", "m/u-m"), Map.of("app", "shop", "late", "yes"))))
                                .view(),
                        STATUS + "status.claim=" + claimWith("\"app\":\"shop\",\"late\":\"yes\"")),
                row("then removes the old claim", ready().view(), REMOVE_OLD),
                row(
                        "gives up a copy that is out of date because a pod had the claim since",
                        ready().users("Pod/default/p").view(),
                        gaveUp(late)),
                row(
                        "also where the store alone shows that pod",
                        ready().seen("Pod/default/p").view(),
                        gaveUp(late)),
                row(
                        "sees that pod at once, whatever comes next",
                        switching().users("Pod/default/p").view(),
                        gaveUp(late)),
                row(
                        "does not forget it if only the first half of that was stored and the pod has ended",
                        ready().oldClaim(Lookup.found(givenUp(bound("c", "u-c", "old", "m/u-m"))))
                                .view(),
                        gaveUp(
                                "the copy of claim c was given up, because a pod used the claim or the new volume was lost")),
                row(
                        "takes no volume that another claim has by now",
                        kept(switching())
                                .target(Lookup.found(volume(NEW, "Retain", "move-u-m", "u-other")))
                                .view(),
                        gaveUp(taken)),
                row(
                        "takes no volume of another namespace's claim, whatever the status says",
                        kept(switching())
                                .target(Lookup.found(volume(NEW, "Retain", "victim", "u-copy")))
                                .view(),
                        gaveUp(taken)),
                row(
                        "takes no reservation of another for its own",
                        kept(switching())
                                .copy(Lookup.absent())
                                .target(Lookup.found(volume(NEW, "Retain", "c", "")))
                                .view(),
                        gaveUp(taken)),
                row(
                        "asks the store before it believes that the old volume is gone",
                        switching().source(Lookup.missing()).view(),
                        "VERIFY read PersistentVolume//old from the store"),
                row(
                                "changes no volume that is not the claim's",
                                switching()
                                        .source(Lookup.found(volume("old", "Delete", "x", "u-x")))
                                        .view(),
                                "tell Normal MoveWaits: volume old of claim c is not known, or does not name the claim")
                        .waits("volume old of claim c is not known, or does not name the claim"),
                row(
                                "waits while the old claim is protected",
                                ready().oldClaim(Lookup.found(deleting(bound("c", "u-c", "old", "m/u-m"))))
                                        .view(),
                                "tell Normal MoveWaits: " + deleted)
                        .waits(deleted),
                row(
                        "asks the store whether the old claim is gone",
                        free().oldClaim(Lookup.missing()).view(),
                        VERIFY_OLD),
                row("makes the claim anew", free().view(), "CREATE create PersistentVolumeClaim/default/c"),
                row(
                                "makes no claim for a volume that is not reserved for it",
                                free().target(Lookup.found(volume(NEW, "Retain", "x", "u-x")))
                                        .view(),
                                "tell Normal MoveWaits: " + unreserved)
                        .waits(unreserved),
                row(
                        "asks the store before it believes that the new volume is gone",
                        switching().target(Lookup.missing()).view(),
                        "VERIFY read PersistentVolume//pvc-u-copy from the store"),
                row(
                        "fails when the new volume is gone and the claim has its old one",
                        switching().target(Lookup.absent()).view(),
                        gaveUp(gone)),
                row(
                                "tells where the data is when the new volume is gone later",
                                free().target(Lookup.absent()).view(),
                                "tell Normal MoveWaits: " + lost)
                        .waits(lost),
                row(
                        "lets such a move go when a user deletes it",
                        free().target(Lookup.absent()).deleting().view(),
                        GO),
                row(
                        "and before that lets new pods have a claim that it has made already",
                        anew().target(Lookup.absent()).deleting().view(),
                        RELEASE),
                row(
                                "ends no deleted move before claims are known",
                                free().claim(Lookup.unknown())
                                        .target(Lookup.absent())
                                        .deleting()
                                        .view())
                        .waits(NOT_ALL),
                row(
                        "lets a deleted move go whose volume is not reserved any more",
                        free().target(Lookup.found(volume(NEW, "Retain", "x", "u-x")))
                                .deleting()
                                .view(),
                        GO),
                row(
                        "goes on when a user deletes the move",
                        free().deleting().view(),
                        "CREATE create PersistentVolumeClaim/default/c"),
                row(
                        "gives both volumes of a failed move back to their ways",
                        ready().phase("Failed").message("a pod came").view(),
                        "tell Warning MoveFailed: a pod came",
                        "write PersistentVolume old: spec.persistentVolumeReclaimPolicy=Delete; write PersistentVolume pvc-u-copy: spec.persistentVolumeReclaimPolicy=Delete, spec.claimRef.name=move-u-m,"
                                + " spec.claimRef.uid=u-copy"),
                row(
                        "and leaves nothing of it on the claim",
                        ready().phase("Failed")
                                .message("a pod came")
                                .oldClaim(Lookup.found(givenUp(bound("c", "u-c", "old", "m/u-m"))))
                                .source(Lookup.found(volume("old", "Delete", "c", "u-c")))
                                .target(Lookup.found(volume(NEW, "Delete", "move-u-m", "u-copy")))
                                .view(),
                        "tell Warning MoveFailed: a pod came",
                        RELEASE + ", metadata.annotations.volume4j.io/move-given-up=null"),
                row(
                        "changes no policy of another claim's volume, whatever the status says",
                        ready().phase("Failed")
                                .message("a pod came")
                                .source(Lookup.found(volume("old", "Retain", "c", "u-other")))
                                .target(Lookup.absent())
                                .view(),
                        "tell Warning MoveFailed: a pod came",
                        RELEASE),
                row(
                        "leaves the policies to the user when it has ended",
                        ready().phase("Failed")
                                .notKept()
                                .oldClaim(Lookup.found(bound("c", "u-c", "old", "")))
                                .view()));
    }

    private static Stream<PlanRow<MoveView>> finishing() {
        String waits = "claim c is to be bound to volume pvc-u-copy, which holds the copied data";
        String elsewhere =
                "claim c names volume mine, and not volume pvc-u-copy, which holds the copied data: delete this move; that volume"
                        + " stays, and a user can bind another claim to it";
        return Stream.of(
                row(
                                "waits until the claim is bound",
                                anew().target(Lookup.found(volume(NEW, "Retain", "c", "")))
                                        .view(),
                                "tell Normal MoveWaits: " + waits)
                        .waits(waits),
                row(
                                "tells that a user made the claim for another volume",
                                anew().claim(Lookup.found(bound("c", "u-c3", "mine", "")))
                                        .view(),
                                "tell Normal MoveWaits: " + elsewhere)
                        .waits(elsewhere),
                row(
                        "and lets the move go when a user deletes it",
                        anew().claim(Lookup.found(bound("c", "u-c3", "mine", "")))
                                .deleting()
                                .view(),
                        GO),
                row(
                        "gives the new volume its own policy",
                        anew().view(),
                        "write PersistentVolume pvc-u-copy: spec.persistentVolumeReclaimPolicy=Delete,"
                                + " metadata.annotations.volume4j.io/move=null"),
                row(
                        "then lets new pods have the claim",
                        anew().target(Lookup.found(volume(NEW, "Delete", "c", "u-c2")))
                                .view(),
                        RELEASE),
                row(
                        "then has ended",
                        anew().claim(Lookup.found(bound("c", "u-c2", NEW, "")))
                                .target(Lookup.found(volume(NEW, "Delete", "c", "u-c2")))
                                .view(),
                        STATUS + "status.phase=Moved"),
                row(
                        "tells it and lets its object go",
                        anew().phase("Moved")
                                .claim(Lookup.found(bound("c", "u-c2", NEW, "")))
                                .view(),
                        "tell Normal VolumeMoved: its data is on volume pvc-u-copy of class fast now",
                        GO),
                row(
                        "does nothing more",
                        anew().phase("Moved")
                                .notKept()
                                .claim(Lookup.found(bound("c", "u-c2", NEW, "")))
                                .view()));
    }

    @Test
    void theCopyIsClonedWhereTheDriverCanAndElseFilledFromTheMove() {
        assertThat(created(copying()).spec().dataSourceRef())
                .isEqualTo(new TypedReference("", "PersistentVolumeClaim", "", "c"));
        assertThat(created(copying().clonesNot()).spec().dataSourceRef())
                .isEqualTo(new TypedReference("volume4j.io", "VolumeMove", "", "m"));
        assertThat(created(copying().spec("method: Copy")).spec().dataSourceRef())
                .isEqualTo(new TypedReference("volume4j.io", "VolumeMove", "", "m"));
    }

    @Test
    void theCopyIsAsLargeAsTheOldVolume() {
        assertThat(created(copying()).spec().request()).hasToString("2Gi");
        assertThat(created(copying()).spec().storageClassName()).isEqualTo("fast");
    }

    @Test
    void theClaimIsMadeAnewAsItWasWithItsNewVolumeAndHeld() {
        PersistentVolumeClaim claim = created(free());

        assertThat(claim.metadata().labels()).containsEntry("app", "shop");
        assertThat(claim.spec().request()).hasToString("1Gi");
        assertThat(claim.spec().volumeName()).isEqualTo(NEW);
        assertThat(ClaimHold.holder(claim)).isEqualTo("u-m");
    }

    private static PersistentVolumeClaim created(MoveGiven given) {
        Plan<?> plan = MovePlanner.plan(given.view());
        return (PersistentVolumeClaim) ((Create) plan.steps().get(0)).object();
    }

    private static MoveGiven kept(MoveGiven given) {
        return given.source(Lookup.found(volume("old", "Retain", "c", "u-c")))
                .target(Lookup.found(volume(NEW, "Retain", "move-u-m", "u-copy")));
    }

    /** Only the old claim is still there. */
    private static MoveGiven ready() {
        return kept(switching()).copy(Lookup.absent()).target(Lookup.found(reserved("u-m")));
    }

    private static PersistentVolumeClaim givenUp(PersistentVolumeClaim claim) {
        return new PersistentVolumeClaim(
                claim.metadata().withAnnotation("volume4j.io/move-given-up", "u-m"),
                claim.spec(),
                claim.status(),
                claim.unmodeled());
    }

    /** The write of the claim comes first: it or the claim's deletion fails. */
    private static String gaveUp(String why) {
        return "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/move-given-up=u-m; " + STATUS
                + "status.phase=Failed, status.message=" + why;
    }

    private static String[] failed(String why) {
        return new String[] {"tell Warning MoveFailed: " + why, STATUS + "status.phase=Failed, status.message=" + why};
    }
}
