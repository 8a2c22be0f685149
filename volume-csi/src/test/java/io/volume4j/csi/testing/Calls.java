package io.volume4j.csi.testing;

import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.GroupControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.rpc.Rpc;

/** A request that is right, for each of the 36 calls. */
public final class Calls {
    private Calls() {}

    public static Message request(Rpc rpc) {
        return switch (rpc) {
            case GET_PLUGIN_INFO -> GetPluginInfoRequest.getDefaultInstance();
            case GET_PLUGIN_CAPABILITIES -> GetPluginCapabilitiesRequest.getDefaultInstance();
            case PROBE -> ProbeRequest.getDefaultInstance();
            case CREATE_VOLUME -> Requests.createVolume();
            case DELETE_VOLUME -> Requests.deleteVolume();
            case CONTROLLER_PUBLISH_VOLUME -> Requests.controllerPublish();
            case CONTROLLER_UNPUBLISH_VOLUME -> Requests.controllerUnpublish();
            case VALIDATE_VOLUME_CAPABILITIES -> Requests.validate();
            case LIST_VOLUMES -> ListVolumesRequest.getDefaultInstance();
            case GET_CAPACITY -> GetCapacityRequest.getDefaultInstance();
            case CONTROLLER_GET_CAPABILITIES -> ControllerGetCapabilitiesRequest.getDefaultInstance();
            case CREATE_SNAPSHOT -> Requests.createSnapshot();
            case DELETE_SNAPSHOT -> Requests.deleteSnapshot();
            case LIST_SNAPSHOTS -> ListSnapshotsRequest.getDefaultInstance();
            case GET_SNAPSHOT -> Requests.getSnapshot();
            case CONTROLLER_EXPAND_VOLUME -> Requests.controllerExpand();
            case CONTROLLER_GET_VOLUME -> Requests.controllerGetVolume();
            case CONTROLLER_MODIFY_VOLUME -> Requests.controllerModify();
            case CONTROLLER_LIST_VOLUME_HEALTH -> ControllerListVolumeHealthRequest.getDefaultInstance();
            case CONTROLLER_GET_VOLUME_HEALTH -> Requests.controllerHealth();
            case GROUP_CONTROLLER_GET_CAPABILITIES -> GroupControllerGetCapabilitiesRequest.getDefaultInstance();
            case CREATE_VOLUME_GROUP_SNAPSHOT -> Requests.createGroupSnapshot();
            case DELETE_VOLUME_GROUP_SNAPSHOT -> Requests.deleteGroupSnapshot();
            case GET_VOLUME_GROUP_SNAPSHOT -> Requests.getGroupSnapshot();
            case GET_METADATA_ALLOCATED -> Requests.metadataAllocated();
            case GET_METADATA_DELTA -> Requests.metadataDelta();
            case NODE_STAGE_VOLUME -> Requests.stage();
            case NODE_UNSTAGE_VOLUME -> Requests.unstage();
            case NODE_PUBLISH_VOLUME -> Requests.publish();
            case NODE_UNPUBLISH_VOLUME -> Requests.unpublish();
            case NODE_GET_VOLUME_STATS -> Requests.stats();
            case NODE_EXPAND_VOLUME -> Requests.nodeExpand();
            case NODE_GET_CAPABILITIES -> NodeGetCapabilitiesRequest.getDefaultInstance();
            case NODE_GET_INFO -> NodeGetInfoRequest.getDefaultInstance();
            case NODE_GET_VOLUME_HEALTH -> Requests.nodeHealth();
            case NODE_GET_STORAGE_HEALTH -> NodeGetStorageHealthRequest.getDefaultInstance();
        };
    }
}
