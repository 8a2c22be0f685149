package io.volume4j.csi.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetCapacityResponse;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.GetSnapshotResponse;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.SnapshotSource;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.testing.Requests;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplyRulesTest {
    private static final VolumeCapability MOUNTED = VolumeCapability.newBuilder()
            .setMount(VolumeCapability.MountVolume.getDefaultInstance())
            .build();
    private static final VolumeCapability RAW = VolumeCapability.newBuilder()
            .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
            .build();
    private static final CreateVolumeRequest SIZED = Requests.createVolume().toBuilder()
            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(100).setLimitBytes(200))
            .build();

    private static final CreateVolumeRequest RESTORED = Requests.createVolume().toBuilder()
            .setVolumeContentSource(source("s-1"))
            .build();

    private static final CreateVolumeRequest PLACED = Requests.createVolume().toBuilder()
            .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                    .addRequisite(place("region", "r1", "zone", "a"))
                    .addRequisite(place("region", "r1", "zone", "b")))
            .build();

    private static final Volume VOLUME =
            Volume.newBuilder().setVolumeId("vol-1").build();
    private static final Snapshot SNAPSHOT = Snapshot.newBuilder()
            .setSnapshotId("s-1")
            .setSourceVolumeId("vol-1")
            .setReadyToUse(true)
            .build();
    private static final CreateSnapshotRequest CUT_IN_PLACE = Requests.createSnapshot().toBuilder()
            .setAccessibilityRequirements(PLACED.getAccessibilityRequirements())
            .build();

    private static final VolumeGroupSnapshot GROUP = VolumeGroupSnapshot.newBuilder()
            .setGroupSnapshotId("g-1")
            .addSnapshots(SNAPSHOT)
            .setReadyToUse(true)
            .build();

    @ParameterizedTest
    @MethodSource
    void believes(Message request, Message reply) {
        assertThat(ReplyRules.complaints(request, reply)).isEmpty();
    }

    static Stream<Arguments> believes() {
        return Stream.of(
                arguments(GetPluginInfoRequest.getDefaultInstance(), name("hostpath.csi.k8s.io")),
                arguments(GetPluginInfoRequest.getDefaultInstance(), name("d")),
                arguments(GetPluginInfoRequest.getDefaultInstance(), name("a".repeat(63))),
                arguments(Requests.createVolume(), created(VOLUME)),
                // a share of unknown size
                arguments(SIZED, created(VOLUME)),
                arguments(SIZED, created(sized(100))),
                arguments(SIZED, created(sized(200))),
                arguments(
                        RESTORED,
                        created(VOLUME.toBuilder()
                                .setContentSource(source("s-1"))
                                .build())),
                // reachable from everywhere, from one of the places, from a part of one, from the whole around one
                arguments(PLACED, created(VOLUME)),
                arguments(PLACED, created(at(place("region", "r1", "zone", "b")))),
                arguments(PLACED, created(at(place("Region", "r1", "ZONE", "b")))),
                arguments(PLACED, created(at(place("region", "r1", "zone", "b", "rack", "7")))),
                arguments(PLACED, created(at(place("region", "r1")))),
                arguments(PLACED, created(at(place("region", "r9"), place("region", "r1")))),
                // by another key, as of a driver that changed its keys: the places cannot be compared
                arguments(PLACED, created(at(place("topology.kubernetes.io/zone", "c")))),
                arguments(CUT_IN_PLACE, snapshot(cutAt(place("topology.kubernetes.io/zone", "c")))),
                arguments(
                        Requests.controllerExpand(),
                        ControllerExpandVolumeResponse.newBuilder()
                                .setCapacityBytes(2 << 20)
                                .build()),
                arguments(Requests.nodeExpand(), NodeExpandVolumeResponse.getDefaultInstance()),
                arguments(grown(MOUNTED), expanded(90)),
                arguments(grown(RAW), expanded(100)),
                arguments(
                        NodeGetInfoRequest.getDefaultInstance(),
                        NodeGetInfoResponse.newBuilder().setNodeId("n").build()),
                arguments(Requests.createSnapshot(), snapshot(SNAPSHOT)),
                arguments(CUT_IN_PLACE, snapshot(SNAPSHOT)),
                arguments(CUT_IN_PLACE, snapshot(cutAt(place("region", "r1", "zone", "b")))),
                arguments(
                        Requests.controllerHealth(),
                        ControllerGetVolumeHealthResponse.newBuilder()
                                .setVolumeHealth(VolumeHealth.newBuilder().setVolumeId("vol-1"))
                                .build()),
                arguments(Requests.createGroupSnapshot(), group(GROUP)));
    }

    @ParameterizedTest
    @MethodSource
    void doubts(Message request, Message reply, String complaint) {
        assertThat(ReplyRules.complaints(request, reply)).containsExactly(complaint);
    }

    static Stream<Arguments> doubts() {
        return Stream.of(
                arguments(GetPluginInfoRequest.getDefaultInstance(), name(""), "name is not that of a driver"),
                arguments(GetPluginInfoRequest.getDefaultInstance(), name("a/b"), "name is not that of a driver"),
                arguments(GetPluginInfoRequest.getDefaultInstance(), name("-a"), "name is not that of a driver"),
                arguments(
                        GetPluginInfoRequest.getDefaultInstance(),
                        name("a".repeat(64)),
                        "name is not that of a driver"),
                arguments(
                        Requests.createVolume(),
                        created(sized(0).toBuilder().clearVolumeId().build()),
                        "volume.volume_id is missing"),
                arguments(SIZED, created(sized(99)), "volume.capacity_bytes is 99, less than the 100 required"),
                arguments(SIZED, created(sized(201)), "volume.capacity_bytes is 201, more than the limit of 200"),
                arguments(grown(RAW), expanded(99), "capacity_bytes is 99, less than the 100 required"),
                arguments(grown(MOUNTED), expanded(-1), "capacity_bytes is negative: -1"),
                arguments(SIZED, created(sized(-1)), "volume.capacity_bytes is negative: -1"),
                arguments(
                        RESTORED,
                        created(VOLUME),
                        "volume.content_source is not the source asked for, so the volume may be empty"),
                arguments(
                        RESTORED,
                        created(VOLUME.toBuilder()
                                .setContentSource(source("s-2"))
                                .build()),
                        "volume.content_source is not the source asked for, so the volume may be empty"),
                arguments(
                        PLACED,
                        created(at(place("region", "r1", "zone", "c"))),
                        "volume.accessible_topology lies outside every requisite topology"),
                arguments(
                        Requests.controllerGetVolume(),
                        ControllerGetVolumeResponse.newBuilder()
                                .setVolume(Volume.newBuilder().setVolumeId("vol-2"))
                                .build(),
                        "volume.volume_id is not the one asked for"),
                arguments(
                        GetCapacityRequest.getDefaultInstance(),
                        GetCapacityResponse.newBuilder()
                                .setAvailableCapacity(-1)
                                .build(),
                        "available_capacity is negative: -1"),
                arguments(
                        GetCapacityRequest.getDefaultInstance(),
                        GetCapacityResponse.newBuilder()
                                .setMaximumVolumeSize(Int64Value.of(-2))
                                .build(),
                        "maximum_volume_size is negative: -2"),
                arguments(
                        Requests.controllerExpand(),
                        ControllerExpandVolumeResponse.newBuilder()
                                .setCapacityBytes(1 << 20)
                                .build(),
                        "capacity_bytes is 1048576, less than the 2097152 required"),
                arguments(
                        NodeGetInfoRequest.getDefaultInstance(),
                        NodeGetInfoResponse.getDefaultInstance(),
                        "node_id is missing"),
                arguments(
                        NodeGetInfoRequest.getDefaultInstance(),
                        NodeGetInfoResponse.newBuilder()
                                .setNodeId("n")
                                .setMaxVolumesPerNode(-1)
                                .build(),
                        "max_volumes_per_node is negative: -1"),
                arguments(
                        Requests.controllerHealth(),
                        ControllerGetVolumeHealthResponse.getDefaultInstance(),
                        "volume_health is missing"),
                arguments(
                        Requests.controllerHealth(),
                        ControllerGetVolumeHealthResponse.newBuilder()
                                .setVolumeHealth(VolumeHealth.newBuilder().setVolumeId("vol-2"))
                                .build(),
                        "volume_health.volume_id is not the one asked for"),
                arguments(
                        Requests.nodeHealth(),
                        NodeGetVolumeHealthResponse.getDefaultInstance(),
                        "volume_health is missing"),
                arguments(
                        Requests.nodeHealth(),
                        NodeGetVolumeHealthResponse.newBuilder()
                                .setVolumeHealth(VolumeHealth.newBuilder().setVolumeId("vol-2"))
                                .build(),
                        "volume_health.volume_id is not the one asked for"),
                arguments(
                        CUT_IN_PLACE,
                        snapshot(cutAt(place("region", "r1", "zone", "c"))),
                        "snapshot.accessible_topology lies outside every requisite topology"),
                arguments(
                        Requests.createSnapshot(),
                        snapshot(SNAPSHOT.toBuilder().clearSnapshotId().build()),
                        "snapshot.snapshot_id is missing"),
                arguments(
                        Requests.createSnapshot(),
                        snapshot(SNAPSHOT.toBuilder().setSourceVolumeId("vol-2").build()),
                        "snapshot.source_volume_id is not the volume asked for"),
                arguments(
                        Requests.getSnapshot(),
                        GetSnapshotResponse.newBuilder()
                                .setSnapshot(SNAPSHOT.toBuilder().setSnapshotId("s-2"))
                                .build(),
                        "snapshot.snapshot_id is not the one asked for"),
                arguments(
                        Requests.createGroupSnapshot(),
                        group(GROUP.toBuilder().clearGroupSnapshotId().build()),
                        "group_snapshot.group_snapshot_id is missing"),
                arguments(
                        Requests.createGroupSnapshot(),
                        group(GROUP.toBuilder()
                                .setSnapshots(0, SNAPSHOT.toBuilder().setReadyToUse(false))
                                .build()),
                        "group_snapshot is ready although a member is not"),
                arguments(
                        Requests.createGroupSnapshot().toBuilder()
                                .addSourceVolumeIds("vol-2")
                                .build(),
                        group(GROUP),
                        "group_snapshot.snapshots are not those of the volumes asked for"),
                arguments(
                        Requests.getGroupSnapshot(),
                        GetVolumeGroupSnapshotResponse.newBuilder()
                                .setGroupSnapshot(GROUP.toBuilder().setGroupSnapshotId("g-2"))
                                .build(),
                        "group_snapshot.group_snapshot_id is not the one asked for"));
    }

    private static GetPluginInfoResponse name(String name) {
        return GetPluginInfoResponse.newBuilder().setName(name).build();
    }

    private static CreateVolumeResponse created(Volume volume) {
        return CreateVolumeResponse.newBuilder().setVolume(volume).build();
    }

    private static Volume sized(long bytes) {
        return VOLUME.toBuilder().setCapacityBytes(bytes).build();
    }

    private static Volume at(Topology... places) {
        Volume.Builder volume = VOLUME.toBuilder();
        for (Topology place : places) {
            volume.addAccessibleTopology(place);
        }
        return volume.build();
    }

    private static Snapshot cutAt(Topology place) {
        return SNAPSHOT.toBuilder().addAccessibleTopology(place).build();
    }

    private static Topology place(String... segments) {
        Topology.Builder place = Topology.newBuilder();
        for (int i = 0; i < segments.length; i += 2) {
            place.putSegments(segments[i], segments[i + 1]);
        }
        return place.build();
    }

    private static VolumeContentSource source(String snapshot) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(SnapshotSource.newBuilder().setSnapshotId(snapshot))
                .build();
    }

    private static CreateSnapshotResponse snapshot(Snapshot snapshot) {
        return CreateSnapshotResponse.newBuilder().setSnapshot(snapshot).build();
    }

    private static CreateVolumeGroupSnapshotResponse group(VolumeGroupSnapshot group) {
        return CreateVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(group)
                .build();
    }

    private static NodeExpandVolumeRequest grown(VolumeCapability capability) {
        return Requests.nodeExpand().toBuilder()
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(100))
                .setVolumeCapability(capability)
                .build();
    }

    private static NodeExpandVolumeResponse expanded(long bytes) {
        return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(bytes).build();
    }
}
