package io.volume4j.csi.internal.rpc;

import io.grpc.MethodDescriptor;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import java.time.Duration;
import java.util.Objects;

/** The 36 calls of CSI 1.13. */
public enum Rpc {
    GET_PLUGIN_INFO(IdentityGrpc.getGetPluginInfoMethod(), Effect.READS, Time.SHORT),
    GET_PLUGIN_CAPABILITIES(IdentityGrpc.getGetPluginCapabilitiesMethod(), Effect.READS, Time.SHORT),
    PROBE(IdentityGrpc.getProbeMethod(), Effect.READS, Time.SHORT),

    CREATE_VOLUME(ControllerGrpc.getCreateVolumeMethod(), Effect.MAKES, Time.LONG),
    DELETE_VOLUME(ControllerGrpc.getDeleteVolumeMethod(), Effect.UNDOES, Time.LONG),
    CONTROLLER_PUBLISH_VOLUME(ControllerGrpc.getControllerPublishVolumeMethod(), Effect.MAKES, Time.LONG),
    CONTROLLER_UNPUBLISH_VOLUME(ControllerGrpc.getControllerUnpublishVolumeMethod(), Effect.UNDOES, Time.LONG),
    VALIDATE_VOLUME_CAPABILITIES(ControllerGrpc.getValidateVolumeCapabilitiesMethod(), Effect.READS, Time.MIDDLE),
    LIST_VOLUMES(ControllerGrpc.getListVolumesMethod(), Effect.READS, Time.MIDDLE),
    GET_CAPACITY(ControllerGrpc.getGetCapacityMethod(), Effect.READS, Time.MIDDLE),
    CONTROLLER_GET_CAPABILITIES(ControllerGrpc.getControllerGetCapabilitiesMethod(), Effect.READS, Time.SHORT),
    CREATE_SNAPSHOT(ControllerGrpc.getCreateSnapshotMethod(), Effect.MAKES, Time.LONG),
    DELETE_SNAPSHOT(ControllerGrpc.getDeleteSnapshotMethod(), Effect.UNDOES, Time.LONG),
    LIST_SNAPSHOTS(ControllerGrpc.getListSnapshotsMethod(), Effect.READS, Time.MIDDLE),
    GET_SNAPSHOT(ControllerGrpc.getGetSnapshotMethod(), Effect.READS, Time.MIDDLE),
    CONTROLLER_EXPAND_VOLUME(ControllerGrpc.getControllerExpandVolumeMethod(), Effect.MAKES, Time.LONG),
    CONTROLLER_GET_VOLUME(ControllerGrpc.getControllerGetVolumeMethod(), Effect.READS, Time.MIDDLE),
    CONTROLLER_MODIFY_VOLUME(ControllerGrpc.getControllerModifyVolumeMethod(), Effect.MAKES, Time.LONG),
    CONTROLLER_LIST_VOLUME_HEALTH(ControllerGrpc.getControllerListVolumeHealthMethod(), Effect.READS, Time.MIDDLE),
    CONTROLLER_GET_VOLUME_HEALTH(ControllerGrpc.getControllerGetVolumeHealthMethod(), Effect.READS, Time.MIDDLE),

    GROUP_CONTROLLER_GET_CAPABILITIES(
            GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(), Effect.READS, Time.SHORT),
    CREATE_VOLUME_GROUP_SNAPSHOT(GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(), Effect.MAKES, Time.LONG),
    DELETE_VOLUME_GROUP_SNAPSHOT(GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(), Effect.UNDOES, Time.LONG),
    GET_VOLUME_GROUP_SNAPSHOT(GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(), Effect.READS, Time.MIDDLE),

    GET_METADATA_ALLOCATED(SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(), Effect.READS, Time.STREAM),
    GET_METADATA_DELTA(SnapshotMetadataGrpc.getGetMetadataDeltaMethod(), Effect.READS, Time.STREAM),

    NODE_STAGE_VOLUME(NodeGrpc.getNodeStageVolumeMethod(), Effect.MAKES, Time.LONG),
    NODE_UNSTAGE_VOLUME(NodeGrpc.getNodeUnstageVolumeMethod(), Effect.UNDOES, Time.LONG),
    NODE_PUBLISH_VOLUME(NodeGrpc.getNodePublishVolumeMethod(), Effect.MAKES, Time.LONG),
    NODE_UNPUBLISH_VOLUME(NodeGrpc.getNodeUnpublishVolumeMethod(), Effect.UNDOES, Time.LONG),
    NODE_GET_VOLUME_STATS(NodeGrpc.getNodeGetVolumeStatsMethod(), Effect.READS, Time.MIDDLE),
    NODE_EXPAND_VOLUME(NodeGrpc.getNodeExpandVolumeMethod(), Effect.MAKES, Time.LONG),
    NODE_GET_CAPABILITIES(NodeGrpc.getNodeGetCapabilitiesMethod(), Effect.READS, Time.SHORT),
    NODE_GET_INFO(NodeGrpc.getNodeGetInfoMethod(), Effect.READS, Time.MIDDLE),
    NODE_GET_VOLUME_HEALTH(NodeGrpc.getNodeGetVolumeHealthMethod(), Effect.READS, Time.MIDDLE),
    NODE_GET_STORAGE_HEALTH(NodeGrpc.getNodeGetStorageHealthMethod(), Effect.READS, Time.MIDDLE);

    private final String label;
    private final Effect effect;
    private final Duration deadline;

    Rpc(MethodDescriptor<?, ?> method, Effect effect, Time time) {
        this.label = Objects.requireNonNull(method.getBareMethodName());
        this.effect = effect;
        this.deadline = time.limit;
    }

    /** What a call can change. */
    public enum Effect {
        /** Nothing: a failed call leaves no doubt. */
        READS,
        /** Creates or changes something. */
        MAKES,
        /** Reverts another call. */
        UNDOES
    }

    /**
     * Default time limits. A driver continues to work after the caller's deadline, so a limit that is too short makes the
     * outcome of slow successes uncertain. The limits only prevent that a dead driver blocks a thread for ever.
     */
    private enum Time {
        SHORT(Duration.ofSeconds(15)),
        MIDDLE(Duration.ofMinutes(1)),
        LONG(Duration.ofMinutes(2)),
        STREAM(Duration.ofMinutes(10));

        private final Duration limit;

        Time(Duration limit) {
            this.limit = limit;
        }
    }

    /** The name in the schema, such as {@code CreateVolume}. */
    public String label() {
        return label;
    }

    public Effect effect() {
        return effect;
    }

    /** The default limit for one call. */
    public Duration deadline() {
        return deadline;
    }
}
