package io.volume4j.csi.internal.rules;

import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessTypeCase;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.TypeCase;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The rules for requests that do not depend on capabilities: required fields are set, and numbers are not negative. Values
 * that the library or a user chose must have the sizes and characters of the specification ("Size Limits", "Secrets
 * Requirements"). {@link Gates} has the rules that depend on capabilities.
 *
 * <p>The library passes back ids, tokens and contexts of a driver unchanged, whatever their length. Several drivers exceed
 * the limits, and a call without the volume's id would not help.
 *
 * <p>Each message has its own code, because the rules run before every call: a walk over descriptors costs a tenth of the
 * call. A test compares the rules with the schema, so that no field is missing.
 */
public final class RequestRules {
    /** Messages without an entry need no checks. */
    private static final Map<Class<?>, BiConsumer<Complaints, Message>> TABLE = table();

    private RequestRules() {}

    /** The violations in the request, in the order of its fields; empty if it may be sent. Contains no secret. */
    public static List<String> complaints(Message request) {
        BiConsumer<Complaints, Message> rules = TABLE.get(request.getClass());
        if (rules == null) {
            return List.of();
        }
        Complaints complaints = new Complaints();
        rules.accept(complaints, request);
        return complaints.found();
    }

    private static Map<Class<?>, BiConsumer<Complaints, Message>> table() {
        Map<Class<?>, BiConsumer<Complaints, Message>> table = new LinkedHashMap<>();
        on(table, CreateVolumeRequest.class, RequestRules::createVolume);
        on(table, DeleteVolumeRequest.class, RequestRules::deleteVolume);
        on(table, ControllerPublishVolumeRequest.class, RequestRules::controllerPublish);
        on(table, ControllerUnpublishVolumeRequest.class, RequestRules::controllerUnpublish);
        on(table, ValidateVolumeCapabilitiesRequest.class, RequestRules::validate);
        on(table, ListVolumesRequest.class, (c, m) -> c.number("max_entries", m.getMaxEntries()));
        on(table, ControllerGetVolumeRequest.class, (c, m) -> c.id("volume_id", m.getVolumeId()));
        on(table, ControllerModifyVolumeRequest.class, RequestRules::modify);
        on(table, GetCapacityRequest.class, RequestRules::getCapacity);
        on(table, CreateSnapshotRequest.class, RequestRules::createSnapshot);
        on(table, DeleteSnapshotRequest.class, RequestRules::deleteSnapshot);
        on(table, ListSnapshotsRequest.class, RequestRules::listSnapshots);
        on(table, GetSnapshotRequest.class, RequestRules::getSnapshot);
        on(table, ControllerExpandVolumeRequest.class, RequestRules::controllerExpand);
        on(table, ControllerListVolumeHealthRequest.class, RequestRules::listHealth);
        on(table, ControllerGetVolumeHealthRequest.class, RequestRules::health);
        on(table, CreateVolumeGroupSnapshotRequest.class, RequestRules::createGroup);
        on(table, DeleteVolumeGroupSnapshotRequest.class, RequestRules::deleteGroup);
        on(table, GetVolumeGroupSnapshotRequest.class, RequestRules::getGroup);
        on(table, GetMetadataAllocatedRequest.class, RequestRules::metadataAllocated);
        on(table, GetMetadataDeltaRequest.class, RequestRules::metadataDelta);
        on(table, NodeStageVolumeRequest.class, RequestRules::stage);
        on(table, NodeUnstageVolumeRequest.class, RequestRules::unstage);
        on(table, NodePublishVolumeRequest.class, RequestRules::publish);
        on(table, NodeUnpublishVolumeRequest.class, RequestRules::unpublish);
        on(table, NodeGetVolumeStatsRequest.class, RequestRules::stats);
        on(table, NodeGetVolumeHealthRequest.class, RequestRules::nodeHealth);
        on(table, NodeGetStorageHealthRequest.class, (c, m) -> c.secrets(m.getSecretsMap()));
        on(table, NodeExpandVolumeRequest.class, RequestRules::nodeExpand);
        return Collections.unmodifiableMap(table);
    }

    private static <M extends Message> void on(
            Map<Class<?>, BiConsumer<Complaints, Message>> table, Class<M> type, BiConsumer<Complaints, M> rules) {
        table.put(type, (complaints, message) -> rules.accept(complaints, type.cast(message)));
    }

    private static void createVolume(Complaints c, CreateVolumeRequest m) {
        c.name("name", m.getName());
        c.within("capacity_range", m.hasCapacityRange(), m.getCapacityRange(), RequestRules::range);
        c.required("volume_capabilities", m.getVolumeCapabilitiesCount() > 0);
        c.each("volume_capabilities", m.getVolumeCapabilitiesList(), RequestRules::capability);
        c.map("parameters", m.getParametersMap());
        c.secrets(m.getSecretsMap());
        c.within(
                "volume_content_source",
                m.hasVolumeContentSource(),
                m.getVolumeContentSource(),
                RequestRules::contentSource);
        c.within(
                "accessibility_requirements",
                m.hasAccessibilityRequirements(),
                m.getAccessibilityRequirements(),
                RequestRules::places);
        c.map("mutable_params", m.getMutableParamsMap());
    }

    private static void deleteVolume(Complaints c, DeleteVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.secrets(m.getSecretsMap());
    }

    private static void controllerPublish(Complaints c, ControllerPublishVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.id("node_id", m.getNodeId());
        requiredCapability(c, m.hasVolumeCapability(), m.getVolumeCapability());
        c.secrets(m.getSecretsMap());
    }

    private static void controllerUnpublish(Complaints c, ControllerUnpublishVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.secrets(m.getSecretsMap());
    }

    private static void validate(Complaints c, ValidateVolumeCapabilitiesRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.required("volume_capabilities", m.getVolumeCapabilitiesCount() > 0);
        c.each("volume_capabilities", m.getVolumeCapabilitiesList(), RequestRules::capability);
        c.map("parameters", m.getParametersMap());
        c.secrets(m.getSecretsMap());
        c.map("mutable_params", m.getMutableParamsMap());
    }

    private static void modify(Complaints c, ControllerModifyVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.secrets(m.getSecretsMap());
        c.required("mutable_params", m.getMutableParamsCount() > 0);
        c.map("mutable_params", m.getMutableParamsMap());
    }

    private static void getCapacity(Complaints c, GetCapacityRequest m) {
        c.each("volume_capabilities", m.getVolumeCapabilitiesList(), RequestRules::capability);
        c.map("parameters", m.getParametersMap());
        c.within("accessible_topology", m.hasAccessibleTopology(), m.getAccessibleTopology(), RequestRules::place);
    }

    private static void createSnapshot(Complaints c, CreateSnapshotRequest m) {
        c.id("source_volume_id", m.getSourceVolumeId());
        c.name("name", m.getName());
        c.secrets(m.getSecretsMap());
        c.map("parameters", m.getParametersMap());
        c.within(
                "accessibility_requirements",
                m.hasAccessibilityRequirements(),
                m.getAccessibilityRequirements(),
                RequestRules::places);
    }

    private static void deleteSnapshot(Complaints c, DeleteSnapshotRequest m) {
        c.id("snapshot_id", m.getSnapshotId());
        c.secrets(m.getSecretsMap());
    }

    private static void listSnapshots(Complaints c, ListSnapshotsRequest m) {
        c.number("max_entries", m.getMaxEntries());
        c.secrets(m.getSecretsMap());
    }

    private static void getSnapshot(Complaints c, GetSnapshotRequest m) {
        c.id("snapshot_id", m.getSnapshotId());
        c.secrets(m.getSecretsMap());
    }

    private static void controllerExpand(Complaints c, ControllerExpandVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.required("capacity_range", m.hasCapacityRange());
        c.within("capacity_range", m.hasCapacityRange(), m.getCapacityRange(), RequestRules::range);
        c.secrets(m.getSecretsMap());
        c.within("volume_capability", m.hasVolumeCapability(), m.getVolumeCapability(), RequestRules::capability);
    }

    private static void listHealth(Complaints c, ControllerListVolumeHealthRequest m) {
        c.number("max_entries", m.getMaxEntries());
        c.secrets(m.getSecretsMap());
    }

    private static void health(Complaints c, ControllerGetVolumeHealthRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.secrets(m.getSecretsMap());
    }

    private static void createGroup(Complaints c, CreateVolumeGroupSnapshotRequest m) {
        c.name("name", m.getName());
        c.ids("source_volume_ids", m.getSourceVolumeIdsList());
        c.secrets(m.getSecretsMap());
        c.map("parameters", m.getParametersMap());
    }

    private static void deleteGroup(Complaints c, DeleteVolumeGroupSnapshotRequest m) {
        c.id("group_snapshot_id", m.getGroupSnapshotId());
        c.ids("snapshot_ids", m.getSnapshotIdsList());
        c.secrets(m.getSecretsMap());
    }

    private static void getGroup(Complaints c, GetVolumeGroupSnapshotRequest m) {
        c.id("group_snapshot_id", m.getGroupSnapshotId());
        c.ids("snapshot_ids", m.getSnapshotIdsList());
        c.secrets(m.getSecretsMap());
    }

    private static void metadataAllocated(Complaints c, GetMetadataAllocatedRequest m) {
        c.id("snapshot_id", m.getSnapshotId());
        c.number("starting_offset", m.getStartingOffset());
        c.number("max_results", m.getMaxResults());
        c.secrets(m.getSecretsMap());
    }

    private static void metadataDelta(Complaints c, GetMetadataDeltaRequest m) {
        c.id("base_snapshot_id", m.getBaseSnapshotId());
        c.id("target_snapshot_id", m.getTargetSnapshotId());
        c.number("starting_offset", m.getStartingOffset());
        c.number("max_results", m.getMaxResults());
        c.secrets(m.getSecretsMap());
    }

    private static void stage(Complaints c, NodeStageVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.requiredPath("staging_target_path", m.getStagingTargetPath());
        requiredCapability(c, m.hasVolumeCapability(), m.getVolumeCapability());
        c.secrets(m.getSecretsMap());
    }

    private static void unstage(Complaints c, NodeUnstageVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.requiredPath("staging_target_path", m.getStagingTargetPath());
    }

    private static void publish(Complaints c, NodePublishVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.path("staging_target_path", m.getStagingTargetPath());
        c.requiredPath("target_path", m.getTargetPath());
        requiredCapability(c, m.hasVolumeCapability(), m.getVolumeCapability());
        c.secrets(m.getSecretsMap());
    }

    private static void unpublish(Complaints c, NodeUnpublishVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.requiredPath("target_path", m.getTargetPath());
    }

    private static void stats(Complaints c, NodeGetVolumeStatsRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.requiredPath("volume_path", m.getVolumePath());
        c.path("staging_target_path", m.getStagingTargetPath());
    }

    /** Both paths may be empty: a caller may ask for a volume that is not on this node. */
    private static void nodeHealth(Complaints c, NodeGetVolumeHealthRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.path("volume_publish_path", m.getVolumePublishPath());
        c.path("staging_target_path", m.getStagingTargetPath());
    }

    private static void nodeExpand(Complaints c, NodeExpandVolumeRequest m) {
        c.id("volume_id", m.getVolumeId());
        c.requiredPath("volume_path", m.getVolumePath());
        c.within("capacity_range", m.hasCapacityRange(), m.getCapacityRange(), RequestRules::range);
        c.path("staging_target_path", m.getStagingTargetPath());
        c.within("volume_capability", m.hasVolumeCapability(), m.getVolumeCapability(), RequestRules::capability);
        c.secrets(m.getSecretsMap());
    }

    private static void requiredCapability(Complaints c, boolean there, VolumeCapability m) {
        c.required("volume_capability", there);
        c.within("volume_capability", there, m, RequestRules::capability);
    }

    private static void capability(Complaints c, VolumeCapability m) {
        c.required("access_mode", m.hasAccessMode());
        c.within(
                "access_mode",
                m.hasAccessMode(),
                m.getAccessMode(),
                (within, mode) -> within.required("mode", mode.getModeValue() != 0));
        c.within("mount", m.hasMount(), m.getMount(), RequestRules::mount);
        c.required("access_type", m.getAccessTypeCase() != AccessTypeCase.ACCESSTYPE_NOT_SET);
    }

    private static void mount(Complaints c, VolumeCapability.MountVolume m) {
        c.chosen("fs_type", m.getFsType());
        c.flags("mount_flags", m.getMountFlagsList());
        c.chosen("volume_mount_group", m.getVolumeMountGroup());
    }

    private static void contentSource(Complaints c, VolumeContentSource m) {
        c.within(
                "snapshot",
                m.hasSnapshot(),
                m.getSnapshot(),
                (within, source) -> within.id("snapshot_id", source.getSnapshotId()));
        c.within(
                "volume",
                m.hasVolume(),
                m.getVolume(),
                (within, source) -> within.id("volume_id", source.getVolumeId()));
        c.required("type", m.getTypeCase() != TypeCase.TYPE_NOT_SET);
    }

    private static void range(Complaints c, CapacityRange m) {
        c.number("required_bytes", m.getRequiredBytes());
        c.number("limit_bytes", m.getLimitBytes());
        if (m.getRequiredBytes() == 0 && m.getLimitBytes() == 0) {
            c.add("required_bytes", "or limit_bytes is required");
        } else if (m.getLimitBytes() > 0 && m.getLimitBytes() < m.getRequiredBytes()) {
            c.add("limit_bytes", "is less than required_bytes");
        }
    }

    private static void places(Complaints c, TopologyRequirement m) {
        c.each("requisite", m.getRequisiteList(), RequestRules::place);
        c.each("preferred", m.getPreferredList(), RequestRules::place);
        // a driver with a topology per node gets as many places as the cluster has nodes, in both lists
        if (m.getRequisiteCount() > 0 && !new HashSet<>(m.getRequisiteList()).containsAll(m.getPreferredList())) {
            c.add("preferred", "names a place that is not in requisite");
        }
    }

    private static void place(Complaints c, Topology m) {
        c.required("segments", m.getSegmentsCount() > 0);
        Set<String> seen = new HashSet<>();
        for (String key : m.getSegmentsMap().keySet()) {
            if (!seen.add(key.toLowerCase(Locale.ROOT))) {
                c.add("segments", "has keys that differ only in case");
            }
        }
    }
}
