package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.VolumeUsage;
import java.util.List;

/**
 * A node's information about itself and its volumes, and the expansion of volumes on the node. Called inside
 * {@link Backend#work}.
 */
public final class NodeWatch {
    /** The number of a small ext4 filesystem. */
    private static final long INODES = 65536;

    private final Backend backend;
    private final NodeCalls calls;

    public NodeWatch(NodeCalls calls) {
        this.backend = calls.backend();
        this.calls = calls;
    }

    public NodeGetInfoResponse info() {
        DriverOptions options = backend.options();
        NodeGetInfoResponse.Builder reply = NodeGetInfoResponse.newBuilder()
                .setNodeId(calls.node())
                .setMaxVolumesPerNode(options.reportedAttachLimit());
        if (backend.has("plugin.VOLUME_ACCESSIBILITY_CONSTRAINTS")
                && !options.placeOf(calls.node()).isEmpty()) {
            reply.setAccessibleTopology(backend.placeOf(calls.node()));
        }
        return reply.build();
    }

    public NodeGetVolumeStatsResponse stats(NodeGetVolumeStatsRequest request) {
        KnownVolume volume = backend.volume(request.getVolumeId());
        calls.demandShownAt(volume, request.getVolumePath());
        NodeGetVolumeStatsResponse.Builder reply = NodeGetVolumeStatsResponse.newBuilder();
        if (calls.capabilityAt(volume, request.getVolumePath()).hasBlock()) {
            reply.addUsage(
                    VolumeUsage.newBuilder().setUnit(VolumeUsage.Unit.BYTES).setTotal(volume.nodeBytes));
        } else {
            long used = Math.min(volume.nodeBytes, backend.contents().used(volume.id));
            long entries = Math.min(INODES, backend.contents().entries(volume.id));
            reply.addUsage(usage(VolumeUsage.Unit.BYTES, volume.nodeBytes, used));
            reply.addUsage(usage(VolumeUsage.Unit.INODES, INODES, entries));
        }
        if (backend.has("node.VOLUME_CONDITION")) {
            reply.setVolumeCondition(HealthCalls.condition(volume, calls.node()));
        }
        return reply.build();
    }

    private static VolumeUsage usage(VolumeUsage.Unit unit, long total, long used) {
        return VolumeUsage.newBuilder()
                .setUnit(unit)
                .setTotal(total)
                .setUsed(used)
                .setAvailable(total - used)
                .build();
    }

    public NodeExpandVolumeResponse expand(NodeExpandVolumeRequest request) {
        KnownVolume volume = backend.volume(request.getVolumeId());
        if (request.hasVolumeCapability()) {
            Capabilities.demandSupported(backend, List.of(request.getVolumeCapability()), "node");
        }
        calls.demandShownAt(volume, request.getVolumePath());
        if (request.getCapacityRange().getRequiredBytes() > volume.bytes) {
            throw new Refused(Code.OUT_OF_RANGE, "the volume has " + volume.bytes + " bytes");
        }
        long limit = request.getCapacityRange().getLimitBytes();
        if (limit > 0 && limit < volume.nodeBytes) {
            throw new Refused(Code.OUT_OF_RANGE, "the volume is larger than that already");
        }
        volume.nodeBytes = volume.bytes;
        if (backend.contents().hasImage(volume.id)) {
            backend.exposure().grown(backend.contents().image(volume.id, volume.bytes));
        }
        return NodeExpandVolumeResponse.newBuilder()
                .setCapacityBytes(volume.nodeBytes)
                .build();
    }
}
