package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whose volume a claim is, and for what it can be used. */
class ClaimsOnNodeTest {
    private static final Pod.SecurityContext NO_CONTEXT = Pod.SecurityContext.none();

    private final NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void mountsNoVolumeOfAnotherClaimOfTheSameName() {
        PersistentVolumeClaim claim = BoundVolumes.claim("data", AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM);
        PersistentVolume volume = BoundVolumes.volume("data", claim, Quantity.parse("1Gi"));
        ObjectReference other =
                new ObjectReference("v1", "PersistentVolumeClaim", "default", "data", "another-uid", "");
        node.cluster.apply(claim);
        node.cluster.apply(withHolder(volume, other));
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.calls()).isEmpty();
        assertThat(node.explainPod("a").text()).contains("is not bound to claim default/data");
    }

    @Test
    void mountsAnEphemeralClaimOnlyForThePodThatOwnsIt() {
        PodVolume ephemeral = new PodVolume("scratch", new OtherSource("ephemeral", Map.of()));
        node.boundClaim("a-scratch");
        node.cluster.apply(node.pod("a", List.of(ephemeral), NO_CONTEXT));
        node.start().settle();

        assertThat(node.explainPod("a").text()).contains("the pod is not its owner");
        assertThat(node.calls()).isEmpty();

        PersistentVolumeClaim claim = node.storedClaim("a-scratch");
        ObjectMeta owned = new ObjectMeta(
                claim.metadata().name(),
                claim.metadata().namespace(),
                claim.metadata().uid(),
                claim.metadata().resourceVersion(),
                claim.metadata().generation(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(new OwnerReference("v1", "Pod", "a", "a", true)),
                null,
                null);
        node.cluster.apply(new PersistentVolumeClaim(owned, claim.spec(), claim.status(), claim.unmodeled()));
        node.settle();
        assertThat(node.mounted("a").volumes()).containsOnlyKeys("scratch");
    }

    @Test
    void refusesFilesOfARawDevice() {
        node.boundClaim("disk", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        Pod pod = node.pod("a", List.of(), NO_CONTEXT);
        node.cluster.apply(new Pod(
                pod.metadata(),
                new Pod.Spec(
                        NodeHarness.NODE,
                        List.of(new PodVolume("disk", new ClaimSource("disk", false))),
                        List.of(),
                        List.of(new io.volume4j.spi.model.Container(
                                "app",
                                List.of(new io.volume4j.spi.model.Container.VolumeMount(
                                        "disk", "/disk", "", false, "", "")),
                                List.of(),
                                Map.of(),
                                Map.of())),
                        NO_CONTEXT,
                        ""),
                pod.status(),
                pod.unmodeled()));
        node.start();
        CompletableFuture<MountedPod> waiting = node.agent().whenMounted("a");
        node.settle();

        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("use it in volumeDevices, not volumeMounts");
    }

    private static PersistentVolume withHolder(PersistentVolume volume, ObjectReference holder) {
        PersistentVolume.Spec spec = volume.spec();
        return new PersistentVolume(
                volume.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        "",
                        spec.volumeMode(),
                        holder,
                        List.of(),
                        null,
                        "",
                        spec.source()),
                volume.status(),
                volume.unmodeled());
    }
}
