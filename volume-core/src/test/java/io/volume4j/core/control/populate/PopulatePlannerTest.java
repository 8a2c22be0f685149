package io.volume4j.core.control.populate;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.populate.PopulateGiven.NOW;
import static io.volume4j.core.control.populate.PopulateGiven.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a volume is filled before its claim gets it, row by row. */
class PopulatePlannerTest {
    private static final String INTEND = "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/populating=7,"
            + " metadata.finalizers=[populator.storage.k8s.io/populate-target-protection]";
    private static final String TAKE_OVER =
            "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/populating=7";
    private static final String CREATE = "CREATE create PersistentVolumeClaim/work/prime-u-c";
    private static final String FILL = "FILL…";
    private static final String CLEAN_UP = "CLEAN_UP…";
    private static final String REMOVE = "REMOVE delete object PersistentVolumeClaim/work/prime-u-c";
    private static final String REMOVED_FIRST = "claim PersistentVolumeClaim/work/prime-u-c is removed first";
    private static final String CLOSE =
            "write PersistentVolumeClaim c: metadata.annotations.volume4j.io/populating=null,"
                    + " metadata.finalizers=[]";
    private static final String GIVE = "write PersistentVolume v: spec.claimRef.namespace=ns, spec.claimRef.name=c,"
            + " spec.claimRef.uid=u-c, spec.claimRef.resourceVersion=null,"
            + " metadata.annotations.populator.storage.k8s.io/populated-from=Tape ns/t";
    private static final String NO_WAY =
            "tell Warning ProvisioningFailed: failed to fill a volume from Tape ns/t: no way";
    private static final String TAKEN =
            "claim PersistentVolumeClaim/work/prime-u-c has the name that is needed to fill the volume";
    private static final String GETS =
            "claim PersistentVolumeClaim/work/prime-u-c gets the volume that is to be filled";
    private static final String NODE = "metadata.annotations.volume.kubernetes.io/selected-node=";
    private static final String FOR_NODE = "metadata.annotations.volume4j.io/populates-node=";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<PopulateView> row) {
        row.check(PopulatePlanner::plan);
    }

    static Stream<PlanRow<PopulateView>> decides() {
        return Stream.of(beginning(), filling(), waiting(), ending()).flatMap(rows -> rows);
    }

    private static Stream<PlanRow<PopulateView>> beginning() {
        return Stream.of(
                row("stores the intent first", claim().view(), INTEND),
                row(
                        "does nothing before it is known what fills the volume",
                        claim().source(from -> from.unknown()).view()),
                row(
                        "leaves a refusal to be told by the binder",
                        claim().source(from -> from.refused("no grant")).view()),
                row(
                                "waits for the node of the first pod where the class says so",
                                claim().waitsForConsumer().view())
                        .waits("the volume is filled when it is known where its first pod will run"),
                row(
                        "begins when the node is chosen",
                        claim().waitsForConsumer().node("n1").view(),
                        INTEND),
                row(
                        "has nothing to do with a claim that is bound",
                        claim().bound().view()),
                row(
                        "has nothing to do with a claim that is deleted",
                        claim().deleting().view()),
                row(
                                "leaves a claim with a filled volume to binding",
                                claim().given().view())
                        .waits("the volume is filled and reserved for the claim"),
                row(
                        "takes over the intent of an earlier leader",
                        claim().begun("6").view(),
                        TAKE_OVER),
                row(
                        "takes over an intent that cannot be read",
                        claim().begun("x").view(),
                        TAKE_OVER),
                row(
                                "leaves the filling to a newer leader for a while",
                                claim().begun("8").leftUntil(99).view())
                        .waits("a newer leader has the volume filled"));
    }

    private static Stream<PlanRow<PopulateView>> filling() {
        return Stream.of(
                row("then makes the claim that has the volume meanwhile", ours().view(), CREATE),
                row(
                                "does nothing before all claims are known",
                                ours().prime(Lookup.unknown()).view())
                        .waits("the claims and volumes of the cluster are not known completely"),
                row(
                                "does nothing before all volumes are known",
                                ours().primeIs("").volume(Lookup.unknown()).view())
                        .waits("the claims and volumes of the cluster are not known completely"),
                row(
                                "does not use a claim of that name that is not its own",
                                ours().primeOf("u-d").view(),
                                "tell Warning ProvisioningFailed: " + TAKEN)
                        .waits(TAKEN),
                row("then has the volume filled", withVolume().view(), FILL),
                row(
                        "asks again when it is time",
                        withVolume()
                                .remembers(before -> before.notBefore("u-v", NOW))
                                .view(),
                        FILL),
                row(
                                "does not ask before",
                                withVolume()
                                        .remembers(before -> before.notBefore("u-v", NOW + 1))
                                        .view())
                        .waits("the volume is being filled from Tape ns/t"),
                row(
                        "says why the populator failed, and asks again",
                        withVolume()
                                .remembers(
                                        before -> before.fillFailed("u-v", VolumeException.transientFailure("no way")))
                                .view(),
                        NO_WAY,
                        FILL),
                row(
                        "gives the filled volume to the claim",
                        withVolume().remembers(before -> before.filled("u-v")).view(),
                        GIVE),
                row(
                        "cleans up first what belongs to another volume",
                        withVolume().remembers(before -> before.filled("u-w")).view(),
                        CLEAN_UP),
                row(
                        "fills a volume anew once that is cleaned up",
                        withVolume()
                                .remembers(before -> before.filled("u-w").cleanedUp())
                                .view(),
                        FILL),
                row(
                        "takes down a claim that lost its volume: first what the populator has",
                        ours().primeIs("Lost").view(),
                        CLEAN_UP),
                row(
                                "then the claim itself",
                                ours().primeIs("Lost")
                                        .remembers(Filling::cleanedUp)
                                        .view(),
                                REMOVE)
                        .waits(REMOVED_FIRST));
    }

    private static Stream<PlanRow<PopulateView>> waiting() {
        return Stream.of(
                row("waits for the volume", ours().primeIs("").view()).waits(GETS),
                row(
                                "waits for it where the node is passed on",
                                ours().node("n1")
                                        .primeIs("")
                                        .primeAt("n1", "n1")
                                        .view())
                        .waits(GETS),
                row(
                        "passes the node on",
                        ours().node("n1").primeIs("").view(),
                        "write PersistentVolumeClaim prime-u-c: " + NODE + "n1, " + FOR_NODE + "n1"),
                row(
                        "passes another node on",
                        ours().node("n2").primeIs("").primeAt("n1", "n1").view(),
                        "write PersistentVolumeClaim prime-u-c: " + NODE + "n2, " + FOR_NODE + "n2"),
                row(
                        "passes another node on though the first was taken back",
                        ours().node("n2").primeIs("").primeAt("", "n1").view(),
                        "write PersistentVolumeClaim prime-u-c: " + NODE + "n2, " + FOR_NODE + "n2"),
                row(
                        "takes back a node that did not do, on both sides",
                        ours().node("n1").primeIs("").primeAt("", "n1").view(),
                        "write PersistentVolumeClaim c: " + NODE + "null; write PersistentVolumeClaim prime-u-c: "
                                + FOR_NODE + "null"));
    }

    private static Stream<PlanRow<PopulateView>> ending() {
        return Stream.of(
                row(
                        "cleans up when the claim is bound",
                        ours().bound().primeIs("").view(),
                        CLEAN_UP),
                row(
                        "says why cleaning up failed, and tries again",
                        ours().bound()
                                .primeIs("")
                                .remembers(before -> before.cleanUpFailed(VolumeException.transientFailure("no way")))
                                .view(),
                        NO_WAY,
                        CLEAN_UP),
                row("cleans up though the other claim is gone", ours().bound().view(), CLEAN_UP),
                row(
                                "then removes the other claim",
                                ours().bound()
                                        .primeIs("")
                                        .remembers(Filling::cleanedUp)
                                        .view(),
                                REMOVE)
                        .waits(REMOVED_FIRST),
                row(
                                "waits until it is gone",
                                ours().bound()
                                        .primeIs("")
                                        .primeDeleting()
                                        .remembers(Filling::cleanedUp)
                                        .view())
                        .waits(REMOVED_FIRST),
                row(
                        "then closes the filling",
                        ours().bound().remembers(Filling::cleanedUp).view(),
                        CLOSE),
                row(
                        "does not wait for a claim of that name that is not its own",
                        ours().bound()
                                .primeOf("u-d")
                                .remembers(Filling::cleanedUp)
                                .view(),
                        CLOSE),
                row(
                        "does the same for a claim that is deleted before it is bound",
                        ours().deleting().remembers(Filling::cleanedUp).view(),
                        CLOSE),
                row(
                                "does nothing before all claims are known",
                                ours().bound().prime(Lookup.unknown()).view())
                        .waits("the claims of the cluster are not known completely"),
                row(
                        "takes over before it ends what an earlier leader began",
                        claim().begun("6").bound().view(),
                        TAKE_OVER),
                row(
                                "leaves the end to a newer leader for a while",
                                claim().begun("8").bound().leftUntil(99).view())
                        .waits("a newer leader has the volume filled"));
    }

    @Test
    void theOtherClaimWantsWhatTheClaimWantsAndComesFromNothing() {
        ClusterWork.Create create = (ClusterWork.Create)
                PopulatePlanner.plan(ours().node("n1").view()).steps().get(0);
        PersistentVolumeClaim prime = (PersistentVolumeClaim) create.object();

        assertThat(prime.metadata().namespace()).isEqualTo("work");
        assertThat(prime.metadata().labels()).isEqualTo(Map.of(Prime.LABEL, "u-c"));
        assertThat(prime.metadata().annotations())
                .isEqualTo(Map.of(
                        Prime.FOR_NAMESPACE,
                        "ns",
                        Prime.FOR_NAME,
                        "c",
                        Prime.FOR_NODE,
                        "n1",
                        "volume.kubernetes.io/selected-node",
                        "n1"));
        assertThat(prime.className()).isEqualTo("fast");
        assertThat(prime.spec().request()).hasToString("1Gi");
        assertThat(prime.spec().dataSourceRef()).isNull();
        assertThat(prime.spec().dataSource()).isNull();
        assertThat(Prime.target(prime)).contains(claim().view().claim().key());
    }

    @Test
    void looksAgainWhenThePopulatorSaid() {
        assertThat(PopulatePlanner.plan(withVolume()
                                .remembers(before -> before.notBefore("u-v", NOW + 5))
                                .view())
                        .waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(NOW + 5);
    }

    private static PopulateGiven ours() {
        return claim().begun("7");
    }

    private static PopulateGiven withVolume() {
        return ours().primeIs("Bound").volumeThere();
    }
}
