package io.volume4j.core.control.schedule;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.core.volumes.UtilizationCurve;
import io.volume4j.core.volumes.VolumeRefusal;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A world that is told what YAML says, and what is decided in it. Objects get the UID {@code uid-NAME}. */
final class GivenCluster {
    /** Such a clock may start anywhere, and may overflow. */
    private long nanos = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos();

    final SchedulingWorld world = new SchedulingWorld(() -> nanos, CsiMigration.standard());
    final NodeFilter filter = new NodeFilter(world);
    final Reserving reserving = new Reserving(world, filter);

    GivenCluster given(String yaml) {
        Manifests.read("given", yaml).forEach(object -> world.put(withUid(object)));
        return this;
    }

    void remove(Kind kind, String name) {
        world.remove(new ObjectKey(kind, kind.namespaced() ? "default" : "", name));
    }

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    Pod pod(String name) {
        return world.find(ObjectKey.pod("default", name), Pod.class).orElseThrow();
    }

    /** The reasons why not, by node. */
    Map<String, List<VolumeRefusal.Reason>> refusals(String pod, String... nodes) {
        Map<String, List<VolumeRefusal.Reason>> reasons = new LinkedHashMap<>();
        fit(pod, nodes)
                .refusals()
                .forEach((node, refusals) -> reasons.put(
                        node, refusals.stream().map(VolumeRefusal::reason).toList()));
        return reasons;
    }

    NodeFit fit(String pod, String... nodes) {
        return filter.fit(pod(pod), List.of(nodes));
    }

    List<String> fitting(String pod, String... nodes) {
        return fit(pod, nodes).fitting();
    }

    Map<String, Integer> scores(String pod, String... nodes) {
        return new NodeScorer(world, filter, UtilizationCurve.spreading()).scores(pod(pod), List.of(nodes));
    }

    Optional<VolumeReservation> reserve(String pod, String node) {
        return reserving.reserve(pod(pod), node);
    }

    void unreserve(String pod) {
        world.unhold(pod(pod).metadata().uid(), pod(pod).key());
    }

    /** A pod that uses claims of these names. */
    static String pod(String name, String... claims) {
        StringBuilder yaml =
                new StringBuilder("---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + "}, spec: {volumes: [");
        for (String claim : claims) {
            yaml.append("{name: ")
                    .append(claim)
                    .append(", persistentVolumeClaim: {claimName: ")
                    .append(claim)
                    .append("}},");
        }
        return yaml.append("]}}\n").toString();
    }

    static String node(String name, String labels) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels + "}}}\n";
    }

    static String claim(String name, String className, String size) {
        return "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name
                + "}, spec: {accessModes: [ReadWriteOnce], storageClassName: '" + className
                + "', resources: {requests: {storage: " + size + "}}}, status: {phase: Pending}}\n";
    }

    static String boundClaim(String name, String volume) {
        return boundClaim(name, volume, "ReadWriteOnce");
    }

    static String boundClaim(String name, String volume, String mode) {
        return "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name
                + ", annotations: {pv.kubernetes.io/bind-completed: 'yes'}}, spec: {accessModes: [" + mode
                + "], volumeName: " + volume + "}, status: {phase: Bound}}\n";
    }

    /** @param affinity {@code label=value} that its nodes have, {@code ""} for all nodes */
    static String volume(String name, String className, String size, String affinity) {
        String at = affinity.isEmpty()
                ? ""
                : ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: " + affinity.split("=")[0]
                        + ", operator: In, values: ['" + affinity.split("=")[1] + "']}]}]}}";
        return "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name
                + "}, spec: {capacity: {storage: "
                + size + "}, accessModes: [ReadWriteOnce], storageClassName: '" + className
                + "', csi: {driver: d.example.com, volumeHandle: h-" + name + "}" + at
                + "}, status: {phase: Available}}\n";
    }

    static String waitingClass(String name, String provisioner) {
        return "---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name + "}, provisioner: "
                + provisioner + ", volumeBindingMode: WaitForFirstConsumer}\n";
    }

    static String driverThatTracksCapacity() {
        return "---\n{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: d.example.com}, spec: {storageCapacity: true}}\n";
    }

    static String capacity(String name, String className, String zone, String capacity) {
        return "---\n{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: " + name
                + "}, storageClassName: " + className + ", nodeTopology: {matchLabels: {zone: " + zone
                + "}}, capacity: "
                + capacity + "}\n";
    }

    static String limit(String node, int count) {
        return "---\n{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: " + node
                + "}, spec: {drivers: [{name: d.example.com, nodeID: " + node + ", allocatable: {count: " + count
                + "}}]}}\n";
    }

    private static ApiObject withUid(ApiObject object) {
        Map<String, @org.jspecify.annotations.Nullable Object> tree = new LinkedHashMap<>(Manifests.toTree(object));
        Map<String, @org.jspecify.annotations.Nullable Object> metadata = new LinkedHashMap<>();
        if (tree.get("metadata") instanceof Map<?, ?> known) {
            known.forEach((key, value) -> metadata.put(String.valueOf(key), value));
        }
        metadata.putIfAbsent("uid", "uid-" + object.metadata().name());
        tree.put("metadata", metadata);
        return Manifests.fromTree(tree);
    }
}
