package io.volume4j.core.control.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PlanRow;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeMove;
import org.junit.jupiter.api.Test;

/** A claim that is created again keeps what the library does not model of its spec, and nothing else of the old object. */
class MovedClaimTest {
    private static final String SPEC =
            "accessModes: [ReadWriteOnce], resources: {limits: {storage: 5Gi}, requests: {storage: 1Gi}}, storageClassName:"
                    + " slow, flavour: [{sweet: true, sour: 1}]";
    private static final String IN_ANOTHER_ORDER =
            "flavour: [{sour: 1, sweet: true}], storageClassName: slow, resources: {requests: {storage: 1Gi}, limits:"
                    + " {storage: 5Gi}}, accessModes: [ReadWriteOnce]";

    @Test
    void keepsFieldsOfANewerApiInTheOrderOfTheirNames() {
        String anew = MovedClaim.anew(move(""), claim(SPEC));

        assertThat(anew)
                .contains(
                        "\"flavour\":[{\"sour\":1,\"sweet\":true}]",
                        "\"limits\":{\"storage\":\"5Gi\"}",
                        "\"uid\":\"p\"")
                .doesNotContain("managedFields", "blockOwnerDeletion", "slow", "capacity", "u-c")
                .isEqualTo(MovedClaim.anew(move(""), claim(IN_ANOTHER_ORDER)));
    }

    @Test
    void hasThemWhenItIsCreated() {
        VolumeMove stored = move(", claim: '" + MovedClaim.anew(move(""), claim(SPEC)) + "'");

        PersistentVolumeClaim created = MovedClaim.withVolume(stored).orElseThrow();

        assertThat(Manifests.toJson(created))
                .contains("\"flavour\":[{\"sour\":1,\"sweet\":true}]", "\"limits\":{\"storage\":\"5Gi\"}")
                .contains("\"storageClassName\":\"fast\"", "\"volumeName\":\"new\"");
    }

    private static VolumeMove move(String status) {
        return PlanRow.object(
                VolumeMove.class,
                "{apiVersion: volume4j.io/v1alpha1, kind: VolumeMove, metadata: {name: m, uid: u-m}, spec: {claimName: c,"
                        + " storageClassName: fast}, status: {phase: Switching, targetVolume: new" + status + "}}");
    }

    private static PersistentVolumeClaim claim(String spec) {
        return PlanRow.object(
                PersistentVolumeClaim.class,
                "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, uid: u-c, managedFields: [{manager: x}],"
                        + " ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: p, blockOwnerDeletion: true}]}, spec: {"
                        + spec + "}, status: {phase: Bound, capacity: {storage: 1Gi}}}");
    }
}
