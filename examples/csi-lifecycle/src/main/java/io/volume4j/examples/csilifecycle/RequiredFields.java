package io.volume4j.examples.csilifecycle;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.VolumeCapability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Each call without each of its required fields: the driver must answer INVALID_ARGUMENT. All other fields have values, with names of
 * objects that do not exist, and a driver may report that first. The library itself never sends such a request, so these calls bypass
 * its check.
 */
final class RequiredFields {
    private static final String NONE = "v4j-lifecycle-none";
    private static final String PLACE = "/run/v4j-lifecycle-none";

    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final VolumeCapability capability;

    /**
     * One call without one field.
     *
     * @param node whether it is a call of the node service
     */
    record Rule(MethodDescriptor<?, ?> method, boolean node, Message request, String field) {
        String id() {
            String call = Objects.requireNonNull(method.getBareMethodName())
                    .replaceAll("([a-z])([A-Z])", "$1-$2")
                    .toLowerCase(Locale.ROOT);
            return call + "-without-" + field.replace('_', '-');
        }

        String text() {
            return method.getBareMethodName() + " refuses a request without " + field + " with INVALID_ARGUMENT";
        }
    }

    private RequiredFields(VolumeCapability capability) {
        this.capability = capability;
    }

    /** The rules for the driver's calls, in a fixed order. */
    static List<Rule> of(Abilities can, Arguments wanted) {
        RequiredFields all = new RequiredFields(new Requests(wanted).capability());
        all.ofVolumes(can);
        all.ofSnapshots(can);
        all.ofNode(can);
        return new ArrayList<>(all.rules.values());
    }

    private void ofVolumes(Abilities can) {
        CapacityRange size =
                CapacityRange.newBuilder().setRequiredBytes(1 << 20).build();
        if (can.controller(RPC.Type.CREATE_DELETE_VOLUME)) {
            add(
                    ControllerGrpc.getCreateVolumeMethod(),
                    CreateVolumeRequest.newBuilder()
                            .setName(NONE)
                            .setCapacityRange(size)
                            .addVolumeCapabilities(capability)
                            .build(),
                    "name",
                    "volume_capabilities");
            add(
                    ControllerGrpc.getDeleteVolumeMethod(),
                    DeleteVolumeRequest.newBuilder().setVolumeId(NONE).build(),
                    "volume_id");
        }
        if (can.controllerSide().has(PluginCapability.Service.Type.CONTROLLER_SERVICE)) {
            add(
                    ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                    ValidateVolumeCapabilitiesRequest.newBuilder()
                            .setVolumeId(NONE)
                            .addVolumeCapabilities(capability)
                            .build(),
                    "volume_id",
                    "volume_capabilities");
        }
        if (can.attach()) {
            add(
                    ControllerGrpc.getControllerPublishVolumeMethod(),
                    ControllerPublishVolumeRequest.newBuilder()
                            .setVolumeId(NONE)
                            .setNodeId(NONE)
                            .setVolumeCapability(capability)
                            .build(),
                    "volume_id",
                    "node_id",
                    "volume_capability");
            add(
                    ControllerGrpc.getControllerUnpublishVolumeMethod(),
                    ControllerUnpublishVolumeRequest.newBuilder()
                            .setVolumeId(NONE)
                            .setNodeId(NONE)
                            .build(),
                    "volume_id");
        }
        if (can.controller(RPC.Type.EXPAND_VOLUME)) {
            add(
                    ControllerGrpc.getControllerExpandVolumeMethod(),
                    ControllerExpandVolumeRequest.newBuilder()
                            .setVolumeId(NONE)
                            .setCapacityRange(size)
                            .build(),
                    "volume_id",
                    "capacity_range");
        }
        if (can.controller(RPC.Type.GET_VOLUME)) {
            add(
                    ControllerGrpc.getControllerGetVolumeMethod(),
                    ControllerGetVolumeRequest.newBuilder().setVolumeId(NONE).build(),
                    "volume_id");
        }
        if (can.controller(RPC.Type.MODIFY_VOLUME)) {
            add(
                    ControllerGrpc.getControllerModifyVolumeMethod(),
                    ControllerModifyVolumeRequest.newBuilder()
                            .setVolumeId(NONE)
                            .putMutableParams(NONE, "1")
                            .build(),
                    "volume_id");
        }
        if (can.controllerHealth()) {
            add(
                    ControllerGrpc.getControllerGetVolumeHealthMethod(),
                    ControllerGetVolumeHealthRequest.newBuilder()
                            .setVolumeId(NONE)
                            .build(),
                    "volume_id");
        }
    }

    private void ofSnapshots(Abilities can) {
        if (can.controller(RPC.Type.CREATE_DELETE_SNAPSHOT)) {
            add(
                    ControllerGrpc.getCreateSnapshotMethod(),
                    CreateSnapshotRequest.newBuilder()
                            .setName(NONE)
                            .setSourceVolumeId(NONE)
                            .build(),
                    "name",
                    "source_volume_id");
            add(
                    ControllerGrpc.getDeleteSnapshotMethod(),
                    DeleteSnapshotRequest.newBuilder().setSnapshotId(NONE).build(),
                    "snapshot_id");
        }
        if (can.controller(RPC.Type.GET_SNAPSHOT)) {
            add(
                    ControllerGrpc.getGetSnapshotMethod(),
                    GetSnapshotRequest.newBuilder().setSnapshotId(NONE).build(),
                    "snapshot_id");
        }
        if (can.groups()) {
            add(
                    GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
                    CreateVolumeGroupSnapshotRequest.newBuilder()
                            .setName(NONE)
                            .addSourceVolumeIds(NONE)
                            .build(),
                    "name",
                    "source_volume_ids");
            add(
                    GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                    DeleteVolumeGroupSnapshotRequest.newBuilder()
                            .setGroupSnapshotId(NONE)
                            .addSnapshotIds(NONE)
                            .build(),
                    "group_snapshot_id");
            add(
                    GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(),
                    GetVolumeGroupSnapshotRequest.newBuilder()
                            .setGroupSnapshotId(NONE)
                            .addSnapshotIds(NONE)
                            .build(),
                    "group_snapshot_id");
        }
    }

    private void ofNode(Abilities can) {
        if (!can.hasNode()) {
            return;
        }
        if (can.stage()) {
            addOfNode(
                    NodeGrpc.getNodeStageVolumeMethod(),
                    NodeStageVolumeRequest.newBuilder()
                            .setVolumeId(NONE)
                            .setStagingTargetPath(PLACE)
                            .setVolumeCapability(capability)
                            .build(),
                    "volume_id",
                    "staging_target_path",
                    "volume_capability");
            addOfNode(
                    NodeGrpc.getNodeUnstageVolumeMethod(),
                    NodeUnstageVolumeRequest.newBuilder()
                            .setVolumeId(NONE)
                            .setStagingTargetPath(PLACE)
                            .build(),
                    "volume_id",
                    "staging_target_path");
        }
        addOfNode(
                NodeGrpc.getNodePublishVolumeMethod(),
                NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(NONE)
                        .setStagingTargetPath(PLACE)
                        .setTargetPath(PLACE + "/target")
                        .setVolumeCapability(capability)
                        .build(),
                "volume_id",
                "target_path",
                "volume_capability");
        addOfNode(
                NodeGrpc.getNodeUnpublishVolumeMethod(),
                NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(NONE)
                        .setTargetPath(PLACE + "/target")
                        .build(),
                "volume_id",
                "target_path");
        if (can.node(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)) {
            addOfNode(
                    NodeGrpc.getNodeGetVolumeStatsMethod(),
                    NodeGetVolumeStatsRequest.newBuilder()
                            .setVolumeId(NONE)
                            .setVolumePath(PLACE)
                            .build(),
                    "volume_id",
                    "volume_path");
        }
        if (can.node(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)) {
            addOfNode(
                    NodeGrpc.getNodeExpandVolumeMethod(),
                    NodeExpandVolumeRequest.newBuilder()
                            .setVolumeId(NONE)
                            .setVolumePath(PLACE)
                            .build(),
                    "volume_id",
                    "volume_path");
        }
    }

    private void add(MethodDescriptor<?, ?> method, Message whole, String... fields) {
        add(method, false, whole, fields);
    }

    private void addOfNode(MethodDescriptor<?, ?> method, Message whole, String... fields) {
        add(method, true, whole, fields);
    }

    private void add(MethodDescriptor<?, ?> method, boolean node, Message whole, String... fields) {
        for (String name : fields) {
            FieldDescriptor field = whole.getDescriptorForType().findFieldByName(name);
            Rule rule =
                    new Rule(method, node, whole.toBuilder().clearField(field).build(), name);
            rules.put(rule.id(), rule);
        }
    }

    /**
     * Reverts at once what a driver creates for such a request; the ledger cannot do that, because it repeats requests to get ids.
     */
    static void demand(Rule rule, Driver driver) {
        Driver.Answer answer = driver.raw(rule.node(), rule.method(), rule.request());
        boolean namesWhatThereIsNot = rule.request().toString().contains(NONE);
        if (answer.code() == Code.INVALID_ARGUMENT || (answer.code() == Code.NOT_FOUND && namesWhatThereIsNot)) {
            return;
        }
        takeBack(answer.reply(), driver);
        throw new Failed(
                rule.method().getBareMethodName() + " without " + rule.field() + " is answered with " + answer.code(),
                "the specification wants INVALID_ARGUMENT for a request without a required field");
    }

    private static void takeBack(@Nullable Object reply, Driver driver) {
        if (reply instanceof CreateVolumeResponse made) {
            driver.raw(
                    false,
                    ControllerGrpc.getDeleteVolumeMethod(),
                    DeleteVolumeRequest.newBuilder()
                            .setVolumeId(made.getVolume().getVolumeId())
                            .build());
        } else if (reply instanceof CreateSnapshotResponse cut) {
            driver.raw(
                    false,
                    ControllerGrpc.getDeleteSnapshotMethod(),
                    DeleteSnapshotRequest.newBuilder()
                            .setSnapshotId(cut.getSnapshot().getSnapshotId())
                            .build());
        } else if (reply instanceof CreateVolumeGroupSnapshotResponse cut) {
            driver.raw(
                    false,
                    GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                    DeleteVolumeGroupSnapshotRequest.newBuilder()
                            .setGroupSnapshotId(cut.getGroupSnapshot().getGroupSnapshotId())
                            .addAllSnapshotIds(cut.getGroupSnapshot().getSnapshotsList().stream()
                                    .map(Snapshot::getSnapshotId)
                                    .toList())
                            .build());
        }
    }
}
