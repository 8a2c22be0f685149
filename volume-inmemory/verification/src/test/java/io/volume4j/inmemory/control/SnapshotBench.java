package io.volume4j.inmemory.control;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A cluster with a claim {@code data} that can be cut, and what the tests of snapshots ask it. */
final class SnapshotBench {
    static final ObjectKey SNAPSHOT = new ObjectKey(Kind.VOLUME_SNAPSHOT, "ns", "s");
    static final ObjectKey CONTENT = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "snapcontent-uid-s");
    static final ObjectKey DATA = GivenClaim.key("data");
    static final String HANDLE = "snapshot-uid-s";

    /** A volume of the plugin, made here and bound to the claim {@code data}. */
    static final String CLAIM_AND_CLASSES = """
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: mem,
             reclaimPolicy: Delete, volumeBindingMode: Immediate}
            ---
            {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: ns, uid: uid-data, labels: {app: db}},
             spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}},
             status: {phase: Pending}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: quick}, driver: mem,
             deletionPolicy: Delete, parameters: {tier: cold}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: lasting}, driver: mem,
             deletionPolicy: Retain}
            """;

    private SnapshotBench() {}

    static ControlBench bench() {
        ControlBench bench = new ControlBench();
        bench.features(ControllerFeatures.ofController().snapshots().restores().groupSnapshots());
        return bench.manifests(CLAIM_AND_CLASSES);
    }

    static ControlBench settled() {
        return bench().startAndSettle();
    }

    static String snapshot(String className) {
        return "{apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: s, namespace: ns, uid: uid-s},"
                + " spec: {source: {persistentVolumeClaimName: data}"
                + (className.isEmpty() ? "" : ", volumeSnapshotClassName: " + className) + "}}";
    }

    /** A claim that is made from the snapshot {@code s}. */
    static String restored(String size) {
        return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: copy, namespace: ns, uid: uid-copy},"
                + " spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: "
                + size
                + "}}, dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s}}, status: {phase: Pending}}";
    }

    /** A claim that is made from the claim {@code data}. */
    static String cloned() {
        return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: copy, namespace: ns, uid: uid-copy},"
                + " spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}},"
                + " dataSource: {kind: PersistentVolumeClaim, name: data}}, status: {phase: Pending}}";
    }

    static void apply(ControlBench bench, String yaml) {
        Manifests.read("test", yaml).forEach(bench.cluster::apply);
    }

    static VolumeSnapshot snapshot(ControlBench bench) {
        return (VolumeSnapshot) bench.cluster.get(SNAPSHOT).orElseThrow();
    }

    static Optional<VolumeSnapshotContent> content(ControlBench bench) {
        return bench.cluster.get(CONTENT).map(VolumeSnapshotContent.class::cast);
    }

    static String error(ControlBench bench) {
        var error = snapshot(bench).status().error();
        return error == null ? "" : error.message();
    }

    static List<String> calls(ControlBench bench, String... names) {
        Set<String> wanted = Set.of(names);
        return bench.plugin.calls().stream()
                .map(call -> call.name())
                .filter(wanted::contains)
                .toList();
    }
}
