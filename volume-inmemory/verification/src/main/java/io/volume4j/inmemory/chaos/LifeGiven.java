package io.volume4j.inmemory.chaos;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The objects of worlds of claims. */
final class LifeGiven {
    /** The name of a pod's ephemeral volume, for which a claim is created. */
    static final String OWN = "own";

    private LifeGiven() {}

    static StorageClass storageClass(String name, ReclaimPolicy policy, VolumeBindingMode mode) {
        return new StorageClass(
                ObjectMeta.named("", name).withUid("uid-" + name),
                "mem",
                Map.of(),
                policy,
                List.of(),
                true,
                mode,
                null,
                Unmodeled.none());
    }

    static ObjectKey attributesKey(String name) {
        return new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", name);
    }

    /** Its only parameter is its name, which shows the last applied class of a volume. */
    static VolumeAttributesClass attributes(String name, String uid, String driver) {
        return new VolumeAttributesClass(
                ObjectMeta.named("", name).withUid(uid), driver, Map.of("tier", name), Unmodeled.none());
    }

    static PersistentVolumeClaim claim(String name, String uid, String className, Quantity size, String attributes) {
        return new PersistentVolumeClaim(
                ObjectMeta.named(Given.NAMESPACE, name)
                        .withUid(uid)
                        .withLabels(Map.of(LifeGroups.TEAM, name.charAt(name.length() - 1) % 2 == 0 ? "even" : "odd")),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        size,
                        className,
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        null,
                        null,
                        attributes),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    static ObjectKey snapshotKey(String name) {
        return new ObjectKey(Kind.VOLUME_SNAPSHOT, Given.NAMESPACE, name);
    }

    static ApiObject snapshot(String name, String uid, String claim) {
        return Manifests.read(
                        "a snapshot",
                        "{apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: %s, namespace: %s, uid: %s}, spec: {source: {persistentVolumeClaimName: %s}, volumeSnapshotClassName: quick}}"
                                .formatted(name, Given.NAMESPACE, uid, claim))
                .get(0);
    }

    static ApiObject snapshotClass() {
        return Manifests.read(
                        "a class",
                        "{apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: quick}, driver: mem, deletionPolicy: Delete}")
                .get(0);
    }

    /** A claim with another claim or a snapshot as its source. */
    static PersistentVolumeClaim copy(String name, String uid, Quantity size, TypedReference source) {
        PersistentVolumeClaim empty = claim(name, uid, "fast", size, "");
        PersistentVolumeClaim.Spec spec = empty.spec();
        return new PersistentVolumeClaim(
                empty.metadata(),
                new PersistentVolumeClaim.Spec(
                        spec.accessModes(), size, "fast", spec.volumeMode(), "", null, source, source, ""),
                empty.status(),
                Unmodeled.none());
    }

    static TypedReference reference(ObjectKey source) {
        return new TypedReference(
                source.kind() == Kind.VOLUME_SNAPSHOT ? "snapshot.storage.k8s.io" : "",
                source.kind().apiName(),
                "",
                source.name());
    }

    /** The pod with an additional ephemeral volume. */
    static Pod withOwn(Pod pod, String className) {
        List<PodVolume> volumes = new ArrayList<>(pod.spec().volumes());
        volumes.add(new PodVolume(
                OWN,
                new OtherSource(
                        "ephemeral",
                        Map.of(
                                "volumeClaimTemplate",
                                Map.of(
                                        "spec",
                                        Map.of(
                                                "accessModes",
                                                List.of("ReadWriteOnce"),
                                                "storageClassName",
                                                className,
                                                "resources",
                                                Map.of("requests", Map.of("storage", "1Gi"))))))));
        Container first = pod.spec().containers().get(0);
        List<Container.VolumeMount> mounts = new ArrayList<>(first.volumeMounts());
        mounts.add(new Container.VolumeMount(OWN, "/" + OWN, "", false, "", ""));
        return new Pod(
                pod.metadata(),
                pod.spec().toBuilder()
                        .volumes(volumes)
                        .containers(List.of(new Container(first.name(), mounts, List.of(), Map.of(), Map.of())))
                        .build(),
                pod.status(),
                pod.unmodeled());
    }
}
