package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GroupControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GroupControllerGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.spi.CallContext;

/**
 * The calls for snapshots of several volumes at one time. Each checks its request and its answer, blocks until the call is over, and
 * throws {@link CsiException}. Thread-safe.
 */
public final class GroupControllerCalls {
    private final GatedCaller caller;

    GroupControllerCalls(GatedCaller caller) {
        this.caller = caller;
    }

    public GroupControllerGetCapabilitiesResponse groupControllerGetCapabilities(
            GroupControllerGetCapabilitiesRequest request, CallContext context) {
        return caller.unary(
                Rpc.GROUP_CONTROLLER_GET_CAPABILITIES,
                GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
                request,
                context);
    }

    public CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest request, CallContext context) {
        return caller.unary(
                Rpc.CREATE_VOLUME_GROUP_SNAPSHOT,
                GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
                request,
                context);
    }

    public DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest request, CallContext context) {
        return caller.unary(
                Rpc.DELETE_VOLUME_GROUP_SNAPSHOT,
                GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                request,
                context);
    }

    public GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest request, CallContext context) {
        return caller.unary(
                Rpc.GET_VOLUME_GROUP_SNAPSHOT, GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(), request, context);
    }
}
