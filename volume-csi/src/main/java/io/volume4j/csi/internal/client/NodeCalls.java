package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeResponse;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.spi.CallContext;

/**
 * The calls that work on the node's machine. Each checks its request and its answer, blocks until the call is over, and
 * throws {@link CsiException}. Thread-safe.
 */
public final class NodeCalls {
    private final GatedCaller caller;

    NodeCalls(GatedCaller caller) {
        this.caller = caller;
    }

    public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_STAGE_VOLUME, NodeGrpc.getNodeStageVolumeMethod(), request, context);
    }

    public NodeUnstageVolumeResponse nodeUnstageVolume(NodeUnstageVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_UNSTAGE_VOLUME, NodeGrpc.getNodeUnstageVolumeMethod(), request, context);
    }

    public NodePublishVolumeResponse nodePublishVolume(NodePublishVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_PUBLISH_VOLUME, NodeGrpc.getNodePublishVolumeMethod(), request, context);
    }

    public NodeUnpublishVolumeResponse nodeUnpublishVolume(NodeUnpublishVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_UNPUBLISH_VOLUME, NodeGrpc.getNodeUnpublishVolumeMethod(), request, context);
    }

    public NodeGetVolumeStatsResponse nodeGetVolumeStats(NodeGetVolumeStatsRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_GET_VOLUME_STATS, NodeGrpc.getNodeGetVolumeStatsMethod(), request, context);
    }

    public NodeExpandVolumeResponse nodeExpandVolume(NodeExpandVolumeRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_EXPAND_VOLUME, NodeGrpc.getNodeExpandVolumeMethod(), request, context);
    }

    public NodeGetCapabilitiesResponse nodeGetCapabilities(NodeGetCapabilitiesRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_GET_CAPABILITIES, NodeGrpc.getNodeGetCapabilitiesMethod(), request, context);
    }

    public NodeGetInfoResponse nodeGetInfo(NodeGetInfoRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_GET_INFO, NodeGrpc.getNodeGetInfoMethod(), request, context);
    }

    public NodeGetVolumeHealthResponse nodeGetVolumeHealth(NodeGetVolumeHealthRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_GET_VOLUME_HEALTH, NodeGrpc.getNodeGetVolumeHealthMethod(), request, context);
    }

    public NodeGetStorageHealthResponse nodeGetStorageHealth(NodeGetStorageHealthRequest request, CallContext context) {
        return caller.unary(Rpc.NODE_GET_STORAGE_HEALTH, NodeGrpc.getNodeGetStorageHealthMethod(), request, context);
    }
}
