package io.volume4j.csi.testing;

import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeCapability.MountVolume;

/** For each call the smallest request that every driver must accept. */
public final class Requests {
    private Requests() {}

    public static VolumeCapability mounted(Mode mode) {
        return VolumeCapability.newBuilder()
                .setMount(MountVolume.getDefaultInstance())
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .build();
    }

    public static VolumeCapability mounted() {
        return mounted(Mode.SINGLE_NODE_WRITER);
    }

    public static CreateVolumeRequest createVolume() {
        return CreateVolumeRequest.newBuilder()
                .setName("pvc-1")
                .addVolumeCapabilities(mounted())
                .build();
    }

    public static DeleteVolumeRequest deleteVolume() {
        return DeleteVolumeRequest.newBuilder().setVolumeId("vol-1").build();
    }

    public static ControllerPublishVolumeRequest controllerPublish() {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setNodeId("node-1")
                .setVolumeCapability(mounted())
                .build();
    }

    public static ControllerUnpublishVolumeRequest controllerUnpublish() {
        return ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setNodeId("node-1")
                .build();
    }

    public static ValidateVolumeCapabilitiesRequest validate() {
        return ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId("vol-1")
                .addVolumeCapabilities(mounted())
                .build();
    }

    public static CreateSnapshotRequest createSnapshot() {
        return CreateSnapshotRequest.newBuilder()
                .setSourceVolumeId("vol-1")
                .setName("snap-1")
                .build();
    }

    public static DeleteSnapshotRequest deleteSnapshot() {
        return DeleteSnapshotRequest.newBuilder().setSnapshotId("s-1").build();
    }

    public static GetSnapshotRequest getSnapshot() {
        return GetSnapshotRequest.newBuilder().setSnapshotId("s-1").build();
    }

    public static ControllerExpandVolumeRequest controllerExpand() {
        return ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 << 20))
                .build();
    }

    public static ControllerGetVolumeRequest controllerGetVolume() {
        return ControllerGetVolumeRequest.newBuilder().setVolumeId("vol-1").build();
    }

    public static ControllerGetVolumeHealthRequest controllerHealth() {
        return ControllerGetVolumeHealthRequest.newBuilder()
                .setVolumeId("vol-1")
                .build();
    }

    public static NodeGetVolumeHealthRequest nodeHealth() {
        return NodeGetVolumeHealthRequest.newBuilder().setVolumeId("vol-1").build();
    }

    public static ControllerModifyVolumeRequest controllerModify() {
        return ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .putMutableParams("iops", "3000")
                .build();
    }

    public static CreateVolumeGroupSnapshotRequest createGroupSnapshot() {
        return CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName("group-1")
                .addSourceVolumeIds("vol-1")
                .build();
    }

    public static DeleteVolumeGroupSnapshotRequest deleteGroupSnapshot() {
        return DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g-1")
                .addSnapshotIds("s-1")
                .build();
    }

    public static GetVolumeGroupSnapshotRequest getGroupSnapshot() {
        return GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g-1")
                .addSnapshotIds("s-1")
                .build();
    }

    public static GetMetadataAllocatedRequest metadataAllocated() {
        return GetMetadataAllocatedRequest.newBuilder().setSnapshotId("s-1").build();
    }

    public static GetMetadataDeltaRequest metadataDelta() {
        return GetMetadataDeltaRequest.newBuilder()
                .setBaseSnapshotId("s-1")
                .setTargetSnapshotId("s-2")
                .build();
    }

    public static NodeStageVolumeRequest stage() {
        return NodeStageVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setStagingTargetPath("/stage")
                .setVolumeCapability(mounted())
                .build();
    }

    public static NodeUnstageVolumeRequest unstage() {
        return NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setStagingTargetPath("/stage")
                .build();
    }

    public static NodePublishVolumeRequest publish() {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setStagingTargetPath("/stage")
                .setTargetPath("/target")
                .setVolumeCapability(mounted())
                .build();
    }

    public static NodeUnpublishVolumeRequest unpublish() {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setTargetPath("/target")
                .build();
    }

    public static NodeGetVolumeStatsRequest stats() {
        return NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId("vol-1")
                .setVolumePath("/target")
                .build();
    }

    public static NodeExpandVolumeRequest nodeExpand() {
        return NodeExpandVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setVolumePath("/target")
                .build();
    }
}
