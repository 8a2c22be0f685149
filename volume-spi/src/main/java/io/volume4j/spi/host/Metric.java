package io.volume4j.spi.host;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Every measurement that the library gives to a {@link MetricsSink}: its name, its labels and its meaning. Names and
 * labels are those of Kubernetes if Kubernetes has the measurement. Other names begin with {@code volume4j_}. Sinks
 * find types and help texts here.
 *
 * @since 0.1.0
 */
public enum Metric {
    STORAGE_OPERATION_DURATION(
            Type.TIMER,
            "storage_operation_duration_seconds",
            "How long an operation took, its intent included",
            "migrated",
            "operation_name",
            "status",
            "volume_plugin"),
    VOLUME_OPERATION_ERRORS(
            Type.COUNTER, "volume_operation_total_errors", "Operations that failed", "operation_name", "plugin_name"),
    VOLUME_OPERATION_TOTAL(
            Type.TIMER,
            "volume_operation_total_seconds",
            "How long users wait for a volume to be provisioned or deleted, failed tries included",
            "operation_name",
            "plugin_name"),
    CALLS_WRITTEN_OFF(
            Type.COUNTER,
            "volume4j_calls_written_off_total",
            "Calls that missed their deadline",
            "operation_name",
            "volume_plugin"),
    CALLS_STUCK(
            Type.GAUGE,
            "volume4j_calls_stuck",
            "Threads that are still inside a call that missed its deadline",
            "volume_plugin"),
    NODE_VOLUMES(
            Type.GAUGE,
            "volume_manager_total_volumes",
            "Pairs of pod and volume on a node, by world: desired_state_of_world or actual_state_of_world",
            "plugin_name",
            "state"),
    NODE_RECONSTRUCTED(
            Type.COUNTER,
            "reconstruct_volume_operations_total",
            "Records of an earlier run that a node read at its start"),
    NODE_RECONSTRUCT_ERRORS(
            Type.COUNTER,
            "reconstruct_volume_operations_errors_total",
            "Records of an earlier run that a node could not read"),
    NODE_FORCE_CLEANED(
            Type.COUNTER,
            "force_cleaned_failed_volume_operations_total",
            "Mounts without a known volume that a node took down"),
    NODE_FORCE_CLEAN_ERRORS(
            Type.COUNTER,
            "force_cleaned_failed_volume_operations_errors_total",
            "Mounts without a known volume that a node failed to take down"),
    NODE_SELINUX_MISMATCH(
            Type.COUNTER,
            "volume_manager_selinux_volume_context_mismatch_errors_total",
            "Pods that want a volume with another SELinux context than the pods that want it already",
            "volume_plugin"),
    NODE_CLAIM_CAPACITY(
            Type.GAUGE,
            "kubelet_volume_stats_capacity_bytes",
            "How large the volume of a claim is",
            "namespace",
            "persistentvolumeclaim"),
    NODE_CLAIM_AVAILABLE(
            Type.GAUGE,
            "kubelet_volume_stats_available_bytes",
            "How many bytes the volume of a claim has left",
            "namespace",
            "persistentvolumeclaim"),
    NODE_CLAIM_USED(
            Type.GAUGE,
            "kubelet_volume_stats_used_bytes",
            "How many bytes of the volume of a claim are used",
            "namespace",
            "persistentvolumeclaim"),
    NODE_CLAIM_INODES(
            Type.GAUGE,
            "kubelet_volume_stats_inodes",
            "How many inodes the volume of a claim has",
            "namespace",
            "persistentvolumeclaim"),
    NODE_CLAIM_INODES_FREE(
            Type.GAUGE,
            "kubelet_volume_stats_inodes_free",
            "How many inodes the volume of a claim has left",
            "namespace",
            "persistentvolumeclaim"),
    NODE_CLAIM_INODES_USED(
            Type.GAUGE,
            "kubelet_volume_stats_inodes_used",
            "How many inodes of the volume of a claim are used",
            "namespace",
            "persistentvolumeclaim"),
    NODE_CLAIM_ABNORMAL(
            Type.GAUGE,
            "kubelet_volume_stats_health_status_abnormal",
            "1 if this node finds something wrong with the volume of a claim, 0 if it does not",
            "namespace",
            "persistentvolumeclaim"),
    ATTACH_VOLUMES(
            Type.GAUGE,
            "attachdetach_controller_total_volumes",
            "Pairs of volume and node, by world: desired_state_of_world or actual_state_of_world",
            "plugin_name",
            "state"),
    ATTACH_IN_USE(
            Type.GAUGE,
            "storage_count_attachable_volumes_in_use",
            "Attachable volumes that pods of a node want",
            "node",
            "volume_plugin"),
    ATTACH_FORCED_DETACHES(
            Type.COUNTER,
            "attachdetach_controller_forced_detaches",
            "Volumes that were taken from a node without its word, by the kind of fence",
            "reason"),
    CLUSTER_VOLUMES(Type.GAUGE, "pv_collector_total_pv_count", "PersistentVolumes", "plugin_name", "volume_mode"),
    CLUSTER_BOUND_VOLUMES(
            Type.GAUGE, "pv_collector_bound_pv_count", "PersistentVolumes that are bound", "storage_class"),
    CLUSTER_UNBOUND_VOLUMES(
            Type.GAUGE, "pv_collector_unbound_pv_count", "PersistentVolumes that are not bound", "storage_class"),
    CLUSTER_BOUND_CLAIMS(
            Type.GAUGE,
            "pv_collector_bound_pvc_count",
            "PersistentVolumeClaims that are bound",
            "namespace",
            "storage_class",
            "volume_attributes_class"),
    CLUSTER_UNBOUND_CLAIMS(
            Type.GAUGE,
            "pv_collector_unbound_pvc_count",
            "PersistentVolumeClaims that are not bound",
            "namespace",
            "storage_class",
            "volume_attributes_class"),
    DEFAULT_CLASSES(Type.COUNTER, "retroactive_storageclass_total", "Claims that were given the default storage class"),
    DEFAULT_CLASS_ERRORS(
            Type.COUNTER,
            "retroactive_storageclass_errors_total",
            "Claims that could not be given the default storage class");

    /** The type of a measurement. It determines which method of a {@link MetricsSink} receives the values. */
    public enum Type {
        /** Only grows; {@link MetricsSink#count}. */
        COUNTER,
        /** Durations; {@link MetricsSink#time}. */
        TIMER,
        /** Goes up and down; {@link MetricsSink#gauge}. */
        GAUGE
    }

    private final Type type;
    private final String metricName;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // always a List.of
    private final List<String> labels;

    Metric(Type type, String metricName, String help, String... labels) {
        this.type = type;
        this.metricName = metricName;
        this.help = help;
        this.labels = List.of(labels);
    }

    public Type type() {
        return type;
    }

    /** The name that a sink receives. It ends with the unit or {@code _total} where the name in Kubernetes does. */
    public String metricName() {
        return metricName;
    }

    /** The meaning of the measurement, as one English phrase. */
    public String help() {
        return help;
    }

    /** The names of the labels that each value has, sorted. */
    public List<String> labels() {
        return labels;
    }

    /** The measurement of that name; empty for a name that this version does not measure. */
    public static Optional<Metric> named(String metricName) {
        return Arrays.stream(values())
                .filter(metric -> metric.metricName.equals(metricName))
                .findAny();
    }
}
