package io.volume4j.inmemory.attach;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Volumes with their claims, and pods that use them, as objects. */
final class VolumeObjects {
    static final Quantity SIZE = Quantity.parse("1Gi");

    private VolumeObjects() {}

    static PersistentVolume volume(String driver, String name, @Nullable ObjectReference claim, AccessMode... modes) {
        return new PersistentVolume(
                ObjectMeta.named("", "pv-" + name),
                new PersistentVolume.Spec(
                        SIZE,
                        List.of(modes),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        claim,
                        List.of(),
                        null,
                        "",
                        CsiSource.of(driver, "h-" + name, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
    }

    static PersistentVolumeClaim claim(String name, AccessMode... modes) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", name).withUid("uid-" + name),
                new PersistentVolumeClaim.Spec(
                        List.of(modes), SIZE, "", VolumeMode.FILESYSTEM, "pv-" + name, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, List.of(modes), SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    /** The same claim, created anew and not bound. */
    static PersistentVolumeClaim pending(String name) {
        PersistentVolumeClaim bound = claim(name, AccessMode.READ_WRITE_ONCE);
        PersistentVolumeClaim.Spec spec = bound.spec();
        return new PersistentVolumeClaim(
                bound.metadata().withUid("uid-anew-" + name),
                new PersistentVolumeClaim.Spec(
                        spec.accessModes(), spec.request(), "", spec.volumeMode(), "", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                bound.unmodeled());
    }

    static PersistentVolume inPhase(PersistentVolume before, VolumePhase phase) {
        return new PersistentVolume(
                before.metadata(), before.spec(), new PersistentVolume.Status(phase, "", ""), before.unmodeled());
    }

    static PersistentVolume withHandle(PersistentVolume before, String handle) {
        PersistentVolume.Spec spec = before.spec();
        return new PersistentVolume(
                before.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        spec.nodeAffinity(),
                        "",
                        CsiSource.of("mem", handle, "", Map.of())),
                before.status(),
                before.unmodeled());
    }

    static Pod pod(String namespace, String name, String node, PodPhase phase, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        List<Container.VolumeMount> mounts = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, false)));
            mounts.add(new Container.VolumeMount(claim, "/" + claim, "", false, "", ""));
        }
        Container container = new Container("app", mounts, List.of(), Map.of(), Map.of());
        return new Pod(
                ObjectMeta.named(namespace, name).withUid(name),
                new Pod.Spec(node, volumes, List.of(), List.of(container), Pod.SecurityContext.none(), ""),
                new Pod.Status(phase, List.of(new Pod.ContainerStatus("app", !phase.ended()))),
                Unmodeled.none());
    }
}
