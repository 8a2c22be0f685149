package io.volume4j.csi.internal.client;

import com.google.protobuf.AbstractMessage;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeResponse;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetCapacityResponse;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetSnapshotResponse;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesResponse;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.spi.CallContext;

/**
 * The calls that work on the backend. Each checks its request and its answer, blocks until the call is over, and
 * throws {@link CsiException}. Thread-safe.
 */
public final class ControllerCalls {
    private final GatedCaller caller;

    ControllerCalls(GatedCaller caller) {
        this.caller = caller;
    }

    public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.CREATE_VOLUME, ControllerGrpc.getCreateVolumeMethod(), request, context);
    }

    public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.DELETE_VOLUME, ControllerGrpc.getDeleteVolumeMethod(), request, context);
    }

    public ControllerPublishVolumeResponse controllerPublishVolume(
            ControllerPublishVolumeRequest request, CallContext context) {
        return caller.unary(
                Rpc.CONTROLLER_PUBLISH_VOLUME, ControllerGrpc.getControllerPublishVolumeMethod(), request, context);
    }

    public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest request, CallContext context) {
        return caller.unary(
                Rpc.CONTROLLER_UNPUBLISH_VOLUME, ControllerGrpc.getControllerUnpublishVolumeMethod(), request, context);
    }

    public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, CallContext context) {
        return caller.unary(
                Rpc.VALIDATE_VOLUME_CAPABILITIES,
                ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                request,
                context);
    }

    public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext context) {
        return caller.unary(Rpc.LIST_VOLUMES, ControllerGrpc.getListVolumesMethod(), request, context);
    }

    public GetCapacityResponse getCapacity(GetCapacityRequest request, CallContext context) {
        return caller.unary(Rpc.GET_CAPACITY, ControllerGrpc.getGetCapacityMethod(), request, context);
    }

    public ControllerGetCapabilitiesResponse controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, CallContext context) {
        return caller.unary(
                Rpc.CONTROLLER_GET_CAPABILITIES, ControllerGrpc.getControllerGetCapabilitiesMethod(), request, context);
    }

    public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request, CallContext context) {
        return caller.unary(Rpc.CREATE_SNAPSHOT, ControllerGrpc.getCreateSnapshotMethod(), request, context);
    }

    public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request, CallContext context) {
        return caller.unary(Rpc.DELETE_SNAPSHOT, ControllerGrpc.getDeleteSnapshotMethod(), request, context);
    }

    public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request, CallContext context) {
        return caller.unary(Rpc.LIST_SNAPSHOTS, ControllerGrpc.getListSnapshotsMethod(), request, context);
    }

    public GetSnapshotResponse getSnapshot(GetSnapshotRequest request, CallContext context) {
        return caller.unary(Rpc.GET_SNAPSHOT, ControllerGrpc.getGetSnapshotMethod(), request, context);
    }

    public ControllerExpandVolumeResponse controllerExpandVolume(
            ControllerExpandVolumeRequest request, CallContext context) {
        return caller.unary(
                Rpc.CONTROLLER_EXPAND_VOLUME, ControllerGrpc.getControllerExpandVolumeMethod(), request, context);
    }

    public ControllerGetVolumeResponse controllerGetVolume(ControllerGetVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.CONTROLLER_GET_VOLUME, ControllerGrpc.getControllerGetVolumeMethod(), request, context);
    }

    public ControllerModifyVolumeResponse controllerModifyVolume(
            ControllerModifyVolumeRequest request, CallContext context) {
        return caller.unary(
                Rpc.CONTROLLER_MODIFY_VOLUME, ControllerGrpc.getControllerModifyVolumeMethod(), request, context);
    }

    public ControllerListVolumeHealthResponse controllerListVolumeHealth(
            ControllerListVolumeHealthRequest request, CallContext context) {
        return caller.unary(
                Rpc.CONTROLLER_LIST_VOLUME_HEALTH,
                ControllerGrpc.getControllerListVolumeHealthMethod(),
                request,
                context);
    }

    public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest request, CallContext context) {
        return caller.unary(
                Rpc.CONTROLLER_GET_VOLUME_HEALTH,
                ControllerGrpc.getControllerGetVolumeHealthMethod(),
                request,
                context);
    }

    /**
     * Passes each volume of the driver's list to the sink, page by page.
     *
     * @return whether the list is complete: the driver reported its end, and the sink has taken all entries
     */
    public boolean eachVolume(EntrySink<ListVolumesResponse.Entry> sink, CallContext context) {
        return Pager.read(volumePages(context), sink);
    }

    /** All volumes of the driver's list, up to the memory limit. */
    public Listing<ListVolumesResponse.Entry> listAllVolumes(CallContext context) {
        return Pager.readAll(
                volumePages(context), entry -> entry.getVolume().getVolumeId(), AbstractMessage::getSerializedSize);
    }

    /**
     * Passes each snapshot that matches the filter to the sink.
     *
     * @return whether the list is complete: the driver reported its end, and the sink has taken all entries
     */
    public boolean eachSnapshot(
            ListSnapshotsRequest filter, EntrySink<ListSnapshotsResponse.Entry> sink, CallContext context) {
        return Pager.read(snapshotPages(filter, context), sink);
    }

    /** All snapshots that match the filter, up to the memory limit. */
    public Listing<ListSnapshotsResponse.Entry> listAllSnapshots(ListSnapshotsRequest filter, CallContext context) {
        return Pager.readAll(
                snapshotPages(filter, context),
                entry -> entry.getSnapshot().getSnapshotId(),
                AbstractMessage::getSerializedSize);
    }

    /**
     * The health of all volumes that the driver reports, up to the memory limit. A missing volume is healthy, unknown to
     * the driver, or was missed: only {@link #controllerGetVolumeHealth} distinguishes these cases.
     *
     * @param filter the secrets, if there are any
     */
    public Listing<VolumeHealth> listAllVolumeHealth(ControllerListVolumeHealthRequest filter, CallContext context) {
        return Pager.readAll(
                (maxEntries, token) -> {
                    ControllerListVolumeHealthRequest request = filter.toBuilder()
                            .setMaxEntries(maxEntries)
                            .setStartingToken(token)
                            .build();
                    ControllerListVolumeHealthResponse page = controllerListVolumeHealth(request, context);
                    return new Pager.Page<>(page.getEntriesList(), page.getNextToken());
                },
                VolumeHealth::getVolumeId,
                AbstractMessage::getSerializedSize);
    }

    private Pager.Source<ListVolumesResponse.Entry> volumePages(CallContext context) {
        return (maxEntries, token) -> {
            ListVolumesRequest request = ListVolumesRequest.newBuilder()
                    .setMaxEntries(maxEntries)
                    .setStartingToken(token)
                    .build();
            ListVolumesResponse page = listVolumes(request, context);
            return new Pager.Page<>(page.getEntriesList(), page.getNextToken());
        };
    }

    private Pager.Source<ListSnapshotsResponse.Entry> snapshotPages(ListSnapshotsRequest filter, CallContext context) {
        return (maxEntries, token) -> {
            ListSnapshotsRequest request = filter.toBuilder()
                    .setMaxEntries(maxEntries)
                    .setStartingToken(token)
                    .build();
            ListSnapshotsResponse page = listSnapshots(request, context);
            return new Pager.Page<>(page.getEntriesList(), page.getNextToken());
        };
    }
}
