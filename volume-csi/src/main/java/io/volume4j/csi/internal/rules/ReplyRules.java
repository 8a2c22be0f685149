package io.volume4j.csi.internal.rules;

import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.GetCapacityResponse;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetSnapshotResponse;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import io.volume4j.csi.internal.proto.VolumeHealth;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Whether an answer is valid: complete, and an answer to this request. Only errors with harmful effects are violations. The reader
 * of the answer handles the harmless errors that drivers commonly make.
 */
public final class ReplyRules {
    private static final Pattern DRIVER_NAME = Pattern.compile("[a-zA-Z0-9]([-.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?");

    /**
     * The library refuses longer ids (in bytes) at creation, before it binds an object to them. The specification allows 128;
     * drivers that put paths and servers into ids need some hundred. A node's journal stores an id several times.
     */
    static final int MAX_ID_BYTES = 4096;

    private final List<String> complaints = new ArrayList<>();

    private ReplyRules() {}

    /** The violations in the answer; empty if it is valid. */
    public static List<String> complaints(Message request, Message reply) {
        ReplyRules rules = new ReplyRules();
        rules.check(request, reply);
        return rules.complaints;
    }

    /** Whether the answer is valid but for the places from which the snapshot can be used. */
    public static boolean onlyMisplaced(CreateSnapshotRequest request, CreateSnapshotResponse reply) {
        CreateSnapshotRequest anywhere =
                request.toBuilder().clearAccessibilityRequirements().build();
        return !complaints(request, reply).isEmpty()
                && complaints(anywhere, reply).isEmpty();
    }

    private void check(Message request, Message reply) {
        if (reply instanceof GetPluginInfoResponse info) {
            require(DRIVER_NAME.matcher(info.getName()).matches(), "name is not that of a driver");
        } else if (reply instanceof CreateVolumeResponse created) {
            checkCreated((CreateVolumeRequest) request, created.getVolume());
        } else if (reply instanceof ControllerGetVolumeResponse got) {
            String wanted = ((ControllerGetVolumeRequest) request).getVolumeId();
            require(got.getVolume().getVolumeId().equals(wanted), "volume.volume_id is not the one asked for");
            notNegative(got.getVolume().getCapacityBytes(), "volume.capacity_bytes");
        } else if (reply instanceof GetCapacityResponse capacity) {
            notNegative(capacity.getAvailableCapacity(), "available_capacity");
            notNegative(capacity.getMaximumVolumeSize().getValue(), "maximum_volume_size");
            notNegative(capacity.getMinimumVolumeSize().getValue(), "minimum_volume_size");
        } else if (reply instanceof ControllerExpandVolumeResponse expanded) {
            CapacityRange range = ((ControllerExpandVolumeRequest) request).getCapacityRange();
            require(expanded.getCapacityBytes() > 0, "capacity_bytes is missing");
            checkCapacity(range, expanded.getCapacityBytes(), "capacity_bytes");
        } else if (reply instanceof NodeExpandVolumeResponse expanded) {
            checkNodeExpansion((NodeExpandVolumeRequest) request, expanded.getCapacityBytes());
        } else if (reply instanceof NodeGetInfoResponse info) {
            require(!info.getNodeId().isEmpty(), "node_id is missing");
            notNegative(info.getMaxVolumesPerNode(), "max_volumes_per_node");
        } else if (reply instanceof ControllerGetVolumeHealthResponse told) {
            String wanted = ((ControllerGetVolumeHealthRequest) request).getVolumeId();
            checkHealth(told.hasVolumeHealth(), told.getVolumeHealth(), wanted);
        } else if (reply instanceof NodeGetVolumeHealthResponse told) {
            String wanted = ((NodeGetVolumeHealthRequest) request).getVolumeId();
            checkHealth(told.hasVolumeHealth(), told.getVolumeHealth(), wanted);
        } else {
            checkSnapshots(request, reply);
        }
    }

    private void checkSnapshots(Message request, Message reply) {
        if (reply instanceof CreateSnapshotResponse created) {
            notNegative(created.getSnapshot().getSizeBytes(), "snapshot.size_bytes");
            checkNewId(created.getSnapshot().getSnapshotId(), "snapshot.snapshot_id");
            String source = ((CreateSnapshotRequest) request).getSourceVolumeId();
            require(
                    created.getSnapshot().getSourceVolumeId().equals(source),
                    "snapshot.source_volume_id is not the volume asked for");
            checkPlace(
                    ((CreateSnapshotRequest) request).getAccessibilityRequirements(),
                    created.getSnapshot().getAccessibleTopologyList(),
                    "snapshot");
        } else if (reply instanceof GetSnapshotResponse got) {
            checkSnapshot(got.getSnapshot(), "snapshot.");
            String wanted = ((GetSnapshotRequest) request).getSnapshotId();
            require(got.getSnapshot().getSnapshotId().equals(wanted), "snapshot.snapshot_id is not the one asked for");
        } else if (reply instanceof CreateVolumeGroupSnapshotResponse created) {
            checkNewId(created.getGroupSnapshot().getGroupSnapshotId(), "group_snapshot.group_snapshot_id");
            checkGroup(created.getGroupSnapshot());
            checkMembers((CreateVolumeGroupSnapshotRequest) request, created.getGroupSnapshot());
        } else if (reply instanceof GetVolumeGroupSnapshotResponse got) {
            require(
                    !got.getGroupSnapshot().getGroupSnapshotId().isEmpty(),
                    "group_snapshot.group_snapshot_id is missing");
            checkGroup(got.getGroupSnapshot());
            String wanted = ((GetVolumeGroupSnapshotRequest) request).getGroupSnapshotId();
            require(
                    got.getGroupSnapshot().getGroupSnapshotId().equals(wanted),
                    "group_snapshot.group_snapshot_id is not the one asked for");
        }
    }

    private void checkCreated(CreateVolumeRequest request, Volume volume) {
        checkNewId(volume.getVolumeId(), "volume.volume_id");
        checkCapacity(request.getCapacityRange(), volume.getCapacityBytes(), "volume.capacity_bytes");
        if (request.hasVolumeContentSource()) {
            require(
                    volume.getContentSource().equals(request.getVolumeContentSource()),
                    "volume.content_source is not the source asked for, so the volume may be empty");
        }
        checkPlace(request.getAccessibilityRequirements(), volume.getAccessibleTopologyList(), "volume");
    }

    private void checkNewId(String id, String field) {
        require(!id.isEmpty(), field + " is missing");
        require(!tooLong(id), "%s has more than %d bytes".formatted(field, MAX_ID_BYTES));
    }

    /** Whether the library refuses the id because of its length. */
    public static boolean tooLong(String id) {
        return id.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES;
    }

    /** An absent health must not count as healthy. */
    private void checkHealth(boolean there, VolumeHealth health, String wanted) {
        require(there, "volume_health is missing");
        require(!there || health.getVolumeId().equals(wanted), "volume_health.volume_id is not the one asked for");
    }

    /** A volume or snapshot without topology is accessible from everywhere. */
    private void checkPlace(TopologyRequirement requirement, List<Topology> places, String what) {
        if (requirement.getRequisiteCount() == 0 || places.isEmpty()) {
            return;
        }
        boolean outside = places.stream()
                .allMatch(here -> requirement.getRequisiteList().stream().allMatch(wanted -> disjoint(here, wanted)));
        require(!outside, what + ".accessible_topology lies outside every requisite topology");
    }

    /**
     * Whether the places have a segment with different values; keys are compared without case. Places without a common key may be the
     * same: a driver that changed its keys takes the zone of a class under the old one and tells it under the new one.
     */
    private static boolean disjoint(Topology one, Topology other) {
        Map<String, String> segments = new TreeMap<>();
        one.getSegmentsMap().forEach((key, value) -> segments.put(key.toLowerCase(Locale.ROOT), value));
        for (Map.Entry<String, String> segment : other.getSegmentsMap().entrySet()) {
            String mine = segments.get(segment.getKey().toLowerCase(Locale.ROOT));
            if (mine != null && !mine.equals(segment.getValue())) {
                return true;
            }
        }
        return false;
    }

    /** A filesystem is smaller than its device, so only a raw device must have the requested size (CSI 1.13). */
    private void checkNodeExpansion(NodeExpandVolumeRequest request, long bytes) {
        if (request.getVolumeCapability().hasBlock()) {
            checkCapacity(request.getCapacityRange(), bytes, "capacity_bytes");
        } else {
            notNegative(bytes, "capacity_bytes");
        }
    }

    /** Zero means that the driver does not know the size. */
    private void checkCapacity(CapacityRange range, long bytes, String field) {
        notNegative(bytes, field);
        if (bytes > 0) {
            require(
                    bytes >= range.getRequiredBytes(),
                    "%s is %d, less than the %d required".formatted(field, bytes, range.getRequiredBytes()));
            require(
                    range.getLimitBytes() == 0 || bytes <= range.getLimitBytes(),
                    "%s is %d, more than the limit of %d".formatted(field, bytes, range.getLimitBytes()));
        }
    }

    private void checkSnapshot(Snapshot snapshot, String path) {
        require(!snapshot.getSnapshotId().isEmpty(), path + "snapshot_id is missing");
        notNegative(snapshot.getSizeBytes(), path + "size_bytes");
    }

    private void checkGroup(VolumeGroupSnapshot group) {
        require(group.getSnapshotsCount() > 0, "group_snapshot.snapshots is empty");
        boolean allReady = true;
        for (Snapshot member : group.getSnapshotsList()) {
            checkSnapshot(member, "group_snapshot.snapshots.");
            require(
                    !tooLong(member.getSnapshotId()),
                    "group_snapshot.snapshots.snapshot_id has more than %d bytes".formatted(MAX_ID_BYTES));
            allReady &= member.getReadyToUse();
        }
        require(allReady || !group.getReadyToUse(), "group_snapshot is ready although a member is not");
    }

    private void checkMembers(CreateVolumeGroupSnapshotRequest request, VolumeGroupSnapshot group) {
        TreeSet<String> cut = new TreeSet<>();
        group.getSnapshotsList().forEach(member -> cut.add(member.getSourceVolumeId()));
        require(
                cut.equals(new TreeSet<>(request.getSourceVolumeIdsList())),
                "group_snapshot.snapshots are not those of the volumes asked for");
    }

    private void notNegative(long value, String field) {
        require(value >= 0, field + " is negative: " + value);
    }

    private void require(boolean holds, String complaint) {
        if (!holds) {
            complaints.add(complaint);
        }
    }
}
