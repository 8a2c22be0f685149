package io.volume4j.csi.internal.rules;

import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.PUBLISH_READONLY;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static io.volume4j.csi.internal.proto.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static io.volume4j.csi.internal.proto.PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE;
import static io.volume4j.csi.internal.proto.PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS;
import static io.volume4j.csi.internal.proto.PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE;
import static io.volume4j.csi.internal.proto.PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;

/**
 * The capabilities that each call and each optional field needs. A driver without the capability would at best answer
 * UNIMPLEMENTED. At worst it would ignore the field, and make a volume writable that must be read-only.
 */
public final class Gates {
    /** The key under which Kubernetes marks an inline volume of a pod. */
    private static final String EPHEMERAL = "csi.storage.k8s.io/ephemeral";

    private final DriverCapabilities driver;
    private final List<String> missing = new ArrayList<>();

    private Gates(DriverCapabilities driver) {
        this.driver = driver;
    }

    /**
     * Whether the call depends on a capability. For calls that every driver serves, the library must not ask for
     * capabilities first. So NodeUnpublishVolume can still reach a driver that hardly answers, and the pod can end.
     */
    public static boolean guards(Rpc rpc) {
        return switch (rpc) {
            case GET_PLUGIN_INFO,
                    GET_PLUGIN_CAPABILITIES,
                    PROBE,
                    NODE_UNPUBLISH_VOLUME,
                    NODE_GET_CAPABILITIES,
                    NODE_GET_INFO -> false;
            default -> true;
        };
    }

    /**
     * The capabilities that this request needs and the driver is known to lack, each with the call or field that needs it.
     */
    public static List<String> missing(Rpc rpc, Message request, DriverCapabilities driver) {
        Gates gates = new Gates(driver);
        gates.checkCall(rpc);
        gates.checkFields(request);
        return gates.missing;
    }

    private void checkCall(Rpc rpc) {
        switch (rpc) {
            case GET_PLUGIN_INFO, GET_PLUGIN_CAPABILITIES, PROBE -> {}
            case VALIDATE_VOLUME_CAPABILITIES, CONTROLLER_GET_CAPABILITIES -> need(CONTROLLER_SERVICE, rpc.label());
            case CREATE_VOLUME, DELETE_VOLUME -> need(CREATE_DELETE_VOLUME, rpc.label());
            case CONTROLLER_PUBLISH_VOLUME, CONTROLLER_UNPUBLISH_VOLUME -> need(PUBLISH_UNPUBLISH_VOLUME, rpc.label());
            case LIST_VOLUMES -> need(ControllerServiceCapability.RPC.Type.LIST_VOLUMES, rpc.label());
            case GET_CAPACITY -> need(ControllerServiceCapability.RPC.Type.GET_CAPACITY, rpc.label());
            case CREATE_SNAPSHOT, DELETE_SNAPSHOT -> need(CREATE_DELETE_SNAPSHOT, rpc.label());
            case LIST_SNAPSHOTS -> need(ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS, rpc.label());
            case GET_SNAPSHOT -> need(ControllerServiceCapability.RPC.Type.GET_SNAPSHOT, rpc.label());
            case CONTROLLER_EXPAND_VOLUME -> need(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME, rpc.label());
            case CONTROLLER_GET_VOLUME -> need(ControllerServiceCapability.RPC.Type.GET_VOLUME, rpc.label());
            case CONTROLLER_MODIFY_VOLUME -> need(MODIFY_VOLUME, rpc.label());
            case CONTROLLER_LIST_VOLUME_HEALTH ->
                need(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH, rpc.label());
            case CONTROLLER_GET_VOLUME_HEALTH ->
                // a driver that lists health must also answer for a single volume, even if it does not report that
                // capability
                note(
                        driver.lacks(ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH)
                                && driver.lacks(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH),
                        ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH,
                        rpc.label());
            case GROUP_CONTROLLER_GET_CAPABILITIES -> need(GROUP_CONTROLLER_SERVICE, rpc.label());
            case CREATE_VOLUME_GROUP_SNAPSHOT, DELETE_VOLUME_GROUP_SNAPSHOT, GET_VOLUME_GROUP_SNAPSHOT -> {
                GroupControllerServiceCapability.RPC.Type capability =
                        GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT;
                need(GROUP_CONTROLLER_SERVICE, rpc.label());
                note(driver.lacks(capability), capability, rpc.label());
            }
            case GET_METADATA_ALLOCATED, GET_METADATA_DELTA -> need(SNAPSHOT_METADATA_SERVICE, rpc.label());
            case NODE_STAGE_VOLUME, NODE_UNSTAGE_VOLUME ->
                need(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME, rpc.label());
            case NODE_EXPAND_VOLUME -> need(NodeServiceCapability.RPC.Type.EXPAND_VOLUME, rpc.label());
            case NODE_GET_VOLUME_HEALTH -> need(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH, rpc.label());
            case NODE_GET_STORAGE_HEALTH -> need(NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH, rpc.label());
            case NODE_GET_VOLUME_STATS ->
                // up to 1.12 VOLUME_CONDITION alone required it
                note(
                        driver.lacks(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)
                                && driver.lacks(NodeServiceCapability.RPC.Type.VOLUME_CONDITION),
                        NodeServiceCapability.RPC.Type.GET_VOLUME_STATS,
                        rpc.label());
            case NODE_PUBLISH_VOLUME, NODE_UNPUBLISH_VOLUME, NODE_GET_CAPABILITIES, NODE_GET_INFO -> {}
        }
    }

    private void checkFields(Message request) {
        if (request instanceof CreateVolumeRequest create) {
            checkCreate(create);
        } else if (request instanceof ControllerPublishVolumeRequest publish) {
            if (publish.getReadonly()) {
                need(PUBLISH_READONLY, "readonly");
            }
            checkOnController(publish.getVolumeCapability());
        } else if (request instanceof ValidateVolumeCapabilitiesRequest validate) {
            validate.getVolumeCapabilitiesList().forEach(this::checkOnController);
            if (validate.getMutableParamsCount() > 0) {
                need(MODIFY_VOLUME, "mutable_parameters");
            }
        } else if (request instanceof GetCapacityRequest capacity) {
            if (capacity.hasAccessibleTopology()) {
                need(VOLUME_ACCESSIBILITY_CONSTRAINTS, "accessible_topology");
            }
            capacity.getVolumeCapabilitiesList().forEach(this::checkOnController);
        } else if (request instanceof CreateSnapshotRequest create) {
            if (create.hasAccessibilityRequirements()) {
                need(SNAPSHOT_ACCESSIBILITY_CONSTRAINTS, "accessibility_requirements");
            }
        } else if (request instanceof NodeGetVolumeHealthRequest health) {
            if (!health.getStagingTargetPath().isEmpty()) {
                need(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME, "staging_target_path");
            }
        } else if (request instanceof ControllerExpandVolumeRequest expand) {
            checkOnController(expand.getVolumeCapability());
        } else if (request instanceof NodeStageVolumeRequest stage) {
            checkContext(stage.getPublishContextCount());
            checkOnNode(stage.getVolumeCapability());
        } else if (request instanceof NodePublishVolumeRequest publish) {
            checkContext(publish.getPublishContextCount());
            checkOnNode(publish.getVolumeCapability());
            checkStaging(publish);
        } else if (request instanceof NodeExpandVolumeRequest expand) {
            checkOnNode(expand.getVolumeCapability());
        }
    }

    private void checkCreate(CreateVolumeRequest create) {
        create.getVolumeCapabilitiesList().forEach(this::checkOnController);
        if (create.getVolumeContentSource().hasVolume()) {
            need(CLONE_VOLUME, "volume_content_source.volume");
        }
        if (create.getVolumeContentSource().hasSnapshot()) {
            need(CREATE_DELETE_SNAPSHOT, "volume_content_source.snapshot");
        }
        if (create.getMutableParamsCount() > 0) {
            need(MODIFY_VOLUME, "mutable_parameters");
        }
        if (create.hasAccessibilityRequirements()) {
            need(VOLUME_ACCESSIBILITY_CONSTRAINTS, "accessibility_requirements");
        }
    }

    /**
     * The only field that a capability makes mandatory; all other checks refuse a field because a capability is missing.
     * The driver creates an inline volume of a pod when it publishes it, so such a volume was never staged.
     */
    private void checkStaging(NodePublishVolumeRequest publish) {
        boolean inline = "true".equals(publish.getVolumeContextOrDefault(EPHEMERAL, "false"));
        if (!inline
                && driver.has(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)
                && publish.getStagingTargetPath().isEmpty()) {
            missing.add("staging_target_path is required, because the driver has STAGE_UNSTAGE_VOLUME");
        }
    }

    /**
     * The context comes from the socket of the controller. A node's socket that leaves out the controller service says nothing
     * about its calls.
     */
    private void checkContext(int entries) {
        if (entries > 0 && driver.has(CONTROLLER_SERVICE)) {
            need(PUBLISH_UNPUBLISH_VOLUME, "publish_context");
        }
    }

    private void checkOnController(VolumeCapability capability) {
        if (needsNewModes(capability)) {
            need(
                    ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER,
                    capability.getAccessMode().getMode().name());
        }
        checkMountGroup(capability);
    }

    private void checkOnNode(VolumeCapability capability) {
        if (needsNewModes(capability)) {
            need(
                    NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER,
                    capability.getAccessMode().getMode().name());
        }
        checkMountGroup(capability);
    }

    private void checkMountGroup(VolumeCapability capability) {
        if (!capability.getMount().getVolumeMountGroup().isEmpty()) {
            need(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP, "volume_mount_group");
        }
    }

    private static boolean needsNewModes(VolumeCapability capability) {
        return switch (capability.getAccessMode().getMode()) {
            case SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER -> true;
            default -> false;
        };
    }

    private void need(PluginCapability.Service.Type service, String what) {
        note(!driver.has(service), service, what);
    }

    private void need(ControllerServiceCapability.RPC.Type capability, String what) {
        note(driver.lacks(capability), capability, what);
    }

    private void need(NodeServiceCapability.RPC.Type capability, String what) {
        note(driver.lacks(capability), capability, what);
    }

    private void note(boolean lacking, Enum<?> capability, String what) {
        if (lacking) {
            missing.add("%s needs %s, which the driver does not have".formatted(what, capability));
        }
    }
}
