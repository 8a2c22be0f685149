package io.volume4j.inmemory.scale;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The objects of large worlds. */
final class ScaleObjects {
    static final String NAMESPACE = "default";
    private static final String CLASS = "mem";
    private static final Quantity SIZE = Quantity.parse("1Gi");

    private ScaleObjects() {}

    static StorageClass storageClass() {
        return new StorageClass(
                ObjectMeta.named("", CLASS),
                CLASS,
                Map.of(),
                ReclaimPolicy.DELETE,
                List.of(),
                false,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
    }

    /** A node whose volumes the controller attaches, with or without an agent. */
    static Node node(String name) {
        return new Node(
                ObjectMeta.named("", name).withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true"),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    static PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaim(
                ObjectMeta.named(NAMESPACE, name),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        SIZE,
                        CLASS,
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    /** The same with an annotation of another program. */
    static PersistentVolumeClaim touched(PersistentVolumeClaim claim, long mark) {
        return new PersistentVolumeClaim(
                claim.metadata().withAnnotation("example.com/mark", String.valueOf(mark)),
                claim.spec(),
                claim.status(),
                claim.unmodeled());
    }

    /** The same with an annotation of another program. */
    static Pod touched(Pod pod, long mark) {
        return new Pod(
                pod.metadata().withAnnotation("example.com/mark", String.valueOf(mark)),
                pod.spec(),
                pod.status(),
                pod.unmodeled());
    }

    /** A running pod that uses the claims. */
    static Pod pod(String name, String node, List<String> claims) {
        List<PodVolume> volumes = new ArrayList<>();
        List<Container.VolumeMount> mounts = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, false)));
            mounts.add(new Container.VolumeMount(claim, "/" + claim, "", false, "", ""));
        }
        return new Pod(
                ObjectMeta.named(NAMESPACE, name).withUid("uid-" + name),
                Pod.Spec.builder()
                        .nodeName(node)
                        .volumes(volumes)
                        .containers(List.of(new Container("app", mounts, List.of(), Map.of(), Map.of())))
                        .build(),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none());
    }
}
