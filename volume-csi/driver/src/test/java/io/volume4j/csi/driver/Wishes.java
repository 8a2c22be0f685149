package io.volume4j.csi.driver;

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
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a user and an administrator put into a cluster. */
final class Wishes {
    /** Named by {@link #storageClass} for every call that can have one. */
    static final SecretRef SECRET = new SecretRef("default", "key");

    private Wishes() {}

    static Node node(String name, Map<String, String> labels) {
        return new Node(
                ObjectMeta.named("", name).withUid("uid-" + name).withLabels(labels),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    static StorageClass storageClass(String driver) {
        Map<String, String> parameters = new TreeMap<>();
        for (String use : List.of(
                "provisioner",
                "controller-publish",
                "node-stage",
                "node-publish",
                "controller-expand",
                "node-expand")) {
            parameters.put("csi.storage.k8s.io/" + use + "-secret-name", SECRET.name());
            parameters.put("csi.storage.k8s.io/" + use + "-secret-namespace", SECRET.namespace());
        }
        return new StorageClass(
                ObjectMeta.named("", "fast"),
                driver,
                parameters,
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
    }

    static PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", name).withUid("uid-" + name),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Quantity.parse("8Mi"),
                        "fast",
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    static Pod pod(String name, String node, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        List<Container.VolumeMount> mounts = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, false)));
            mounts.add(new Container.VolumeMount(claim, "/" + claim, "", false, "", ""));
        }
        return new Pod(
                ObjectMeta.named("default", name).withUid(name),
                new Pod.Spec(
                        node,
                        volumes,
                        List.of(),
                        List.of(new Container("app", mounts, List.of(), Map.of(), Map.of())),
                        Pod.SecurityContext.none(),
                        ""),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
    }
}
