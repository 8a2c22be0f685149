package io.volume4j.inmemory.chaos;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects of small worlds. */
final class Given {
    static final String NAMESPACE = "default";

    private Given() {}

    static Node node(String name) {
        return new Node(
                ObjectMeta.named("", name).withUid("uid-" + name),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    static PersistentVolumeClaim growing(PersistentVolumeClaim claim, Quantity size) {
        return new PersistentVolumeClaim(
                claim.metadata(),
                new PersistentVolumeClaim.Spec(
                        claim.spec().accessModes(),
                        size,
                        claim.className(),
                        VolumeMode.FILESYSTEM,
                        claim.spec().volumeName(),
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(
                        claim.status().phase(),
                        claim.status().accessModes(),
                        claim.status().capacity(),
                        Map.of(),
                        Map.of("storage", "NodeResizePending"),
                        ""),
                claim.unmodeled());
    }

    static PersistentVolume withCapacity(PersistentVolume volume, Quantity size) {
        PersistentVolume.Spec spec = volume.spec();
        return new PersistentVolume(
                volume.metadata(),
                new PersistentVolume.Spec(
                        size,
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        spec.nodeAffinity(),
                        spec.volumeAttributesClassName(),
                        spec.source()),
                volume.status(),
                volume.unmodeled());
    }

    static Node ready(Node node, boolean ready) {
        return new Node(
                node.metadata(),
                node.spec(),
                new Node.Status(
                        ready,
                        node.status().volumesInUse(),
                        node.status().volumesAttached(),
                        node.status().allocatable()),
                node.unmodeled());
    }

    static Node tainted(Node node, List<Node.Taint> taints) {
        return new Node(node.metadata(), new Node.Spec(taints), node.status(), node.unmodeled());
    }

    static StorageClass storageClass(String name, String provisioner, VolumeBindingMode mode) {
        return new StorageClass(
                ObjectMeta.named("", name).withUid("uid-" + name),
                provisioner,
                Map.of(),
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                mode,
                null,
                Unmodeled.none());
    }

    /** An unbound claim. */
    static PersistentVolumeClaim claim(String name, String uid, String className, Quantity size, AccessMode mode) {
        return new PersistentVolumeClaim(
                ObjectMeta.named(NAMESPACE, name).withUid(uid),
                new PersistentVolumeClaim.Spec(
                        List.of(mode), size, className, VolumeMode.FILESYSTEM, "", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    /** A bound claim. */
    static PersistentVolumeClaim boundClaim(String name, String volume, Quantity size, AccessMode mode) {
        return new PersistentVolumeClaim(
                ObjectMeta.named(NAMESPACE, name).withUid("uid-" + name),
                new PersistentVolumeClaim.Spec(
                        List.of(mode), size, "", VolumeMode.FILESYSTEM, volume, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, List.of(mode), size, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    /** The volume of a claim. */
    static PersistentVolume boundVolume(PersistentVolumeClaim claim, String driver, String handle) {
        return boundVolume(claim, CsiSource.of(driver, handle, "", Map.of()));
    }

    /** A volume whose driver needs a secret for each call. */
    static CsiSource withSecret(String driver, String handle, SecretRef secret) {
        return new CsiSource(driver, handle, false, "", Map.of(), secret, secret, secret, secret, secret);
    }

    /** The volume of a claim. */
    static PersistentVolume boundVolume(PersistentVolumeClaim claim, CsiSource source) {
        return volume(
                claim.spec().volumeName(),
                "uid-" + claim.spec().volumeName(),
                claim.spec().accessModes(),
                claim.status().capacity() == null
                        ? Quantity.parse("1Gi")
                        : claim.status().capacity(),
                "",
                ReclaimPolicy.RETAIN,
                ObjectReference.to(claim),
                VolumePhase.BOUND,
                source);
    }

    /** A free volume. */
    static PersistentVolume freeVolume(
            String name, String uid, Quantity size, String className, ReclaimPolicy policy, AccessMode mode) {
        return volume(
                name,
                uid,
                List.of(mode),
                size,
                className,
                policy,
                null,
                VolumePhase.AVAILABLE,
                CsiSource.of("mem", "h-" + name, "", Map.of()));
    }

    private static PersistentVolume volume(
            String name,
            String uid,
            List<AccessMode> modes,
            Quantity size,
            String className,
            ReclaimPolicy policy,
            @Nullable ObjectReference claim,
            VolumePhase phase,
            CsiSource source) {
        return new PersistentVolume(
                ObjectMeta.named("", name).withUid(uid),
                new PersistentVolume.Spec(
                        size, modes, policy, className, VolumeMode.FILESYSTEM, claim, List.of(), null, "", source),
                new PersistentVolume.Status(phase, "", ""),
                Unmodeled.none());
    }

    /**
     * A running pod on a node that uses the claims, each under the claim's name. Some pods use subpaths of their volumes, and have a
     * user namespace.
     */
    static Pod pod(String name, String uid, String node, List<String> claims, boolean readOnly) {
        List<PodVolume> volumes = new ArrayList<>();
        List<Container.VolumeMount> mounts = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, readOnly)));
            String part = name.endsWith("2") ? "part" : "";
            mounts.add(new Container.VolumeMount(claim, "/" + claim, part, readOnly, "", ""));
        }
        Container container = new Container("app", mounts, List.of(), Map.of(), Map.of());
        return new Pod(
                ObjectMeta.named(NAMESPACE, name).withUid(uid),
                Pod.Spec.builder()
                        .nodeName(node)
                        .volumes(volumes)
                        .containers(List.of(container))
                        .hostUsers(!name.endsWith("2"))
                        .securityContext(security(name))
                        .build(),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none());
    }

    /** Some pods have an fsGroup, some an SELinux label. */
    private static Pod.SecurityContext security(String pod) {
        return new Pod.SecurityContext(
                pod.endsWith("1") ? 2_000L : null,
                "",
                List.of(),
                pod.endsWith("3") ? new Pod.SeLinuxOptions("", "", "", "s0:c1,c2") : null);
    }

    /** The pod with ended containers. */
    static Pod ended(Pod pod) {
        return new Pod(
                pod.metadata(),
                pod.spec(),
                new Pod.Status(PodPhase.SUCCEEDED, List.of(new Pod.ContainerStatus("app", false))),
                pod.unmodeled());
    }
}
