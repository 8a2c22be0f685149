package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.ClusterWatch;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeMode;
import org.junit.jupiter.api.Test;

/** A pod gets the volume of the claim that the cluster had when it was asked for this pod. */
class MeantClaimsTest {
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");

    private final NodeHarness node = new NodeHarness(1);

    @Test
    void aPodThatComesBeforeTheNewsOfAClaimMadeAnewGetsTheNewClaimsVolume() {
        node.boundClaim("data");
        node.start().settle();
        watchOfClaims().hold();

        claimMadeAnew("other");
        node.pod("a", "data");
        node.settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
        assertThat(node.calls()).anyMatch(call -> call.startsWith("mount h-other"));
        assertThat(node.calls()).noneMatch(call -> call.contains("h-data"));
    }

    @Test
    void aClaimIsReadOnceForEachPodThatUsesIt() {
        node.boundClaim("data", AccessMode.READ_WRITE_MANY);
        // Each read of a claim is answered by the store; the third and later ones are refused.
        node.cluster.fail(ClusterFault.on(ClusterVerb.READ)
                .of(Kind.PERSISTENT_VOLUME_CLAIM)
                .nth(3)
                .always()
                .as(Rejection.UNAVAILABLE));
        node.start().settle();
        node.pod("a", "data");
        node.pod("b", "data");
        node.settle();
        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
        assertThat(node.mounted("b").volumes()).containsOnlyKeys("data");

        node.pod("c", "data");
        node.settle();

        assertThat(node.explainPod("c").text())
                .contains("claim default/data could not be read from the cluster for this pod");
    }

    @Test
    void aRestartReadsNoClaimsOfWhatIsMounted() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.kill();
        node.cluster.fail(ClusterFault.on(ClusterVerb.READ)
                .of(Kind.PERSISTENT_VOLUME_CLAIM)
                .always()
                .as(Rejection.UNAVAILABLE));

        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
    }

    private ClusterWatch watchOfClaims() {
        return node.cluster.watches().stream()
                .filter(watch -> watch.kind() == Kind.PERSISTENT_VOLUME_CLAIM)
                .findFirst()
                .orElseThrow();
    }

    /** The claim is removed, and one of the same name is bound to another volume. */
    private void claimMadeAnew(String volume) {
        node.cluster.remove(CLAIM);
        PersistentVolumeClaim like = BoundVolumes.claim("data", AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM);
        PersistentVolumeClaim.Spec spec = BoundVolumes.claim(volume, AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM)
                .spec();
        PersistentVolumeClaim anew = new PersistentVolumeClaim(
                ObjectMeta.named("default", "data").withUid("uid-anew"), spec, like.status(), like.unmodeled());
        node.storage.add("h-" + volume, BoundVolumes.SIZE.bytes());
        node.cluster.apply(anew);
        node.cluster.apply(BoundVolumes.volume(volume, anew, BoundVolumes.SIZE));
    }
}
