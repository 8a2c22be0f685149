package io.volume4j.csi.driver.server;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What each call needs, as one table: the capability (none for calls that every driver serves) and the required fields.
 * Written from the specification, independent of the client's table, so that neither table hides an error of the other.
 */
final class Requirements {
    private static final String TABLE = """
            GetPluginInfo                   -
            GetPluginCapabilities           -
            Probe                           -
            CreateVolume                    controller.CREATE_DELETE_VOLUME       name volume_capabilities
            DeleteVolume                    controller.CREATE_DELETE_VOLUME       volume_id
            ControllerPublishVolume         controller.PUBLISH_UNPUBLISH_VOLUME   volume_id node_id volume_capability
            ControllerUnpublishVolume       controller.PUBLISH_UNPUBLISH_VOLUME   volume_id
            ValidateVolumeCapabilities      plugin.CONTROLLER_SERVICE             volume_id volume_capabilities
            ListVolumes                     controller.LIST_VOLUMES
            GetCapacity                     controller.GET_CAPACITY
            ControllerGetCapabilities       plugin.CONTROLLER_SERVICE
            CreateSnapshot                  controller.CREATE_DELETE_SNAPSHOT     source_volume_id name
            DeleteSnapshot                  controller.CREATE_DELETE_SNAPSHOT     snapshot_id
            ListSnapshots                   controller.LIST_SNAPSHOTS
            GetSnapshot                     controller.GET_SNAPSHOT               snapshot_id
            ControllerExpandVolume          controller.EXPAND_VOLUME              volume_id capacity_range
            ControllerGetVolume             controller.GET_VOLUME                 volume_id
            ControllerModifyVolume          controller.MODIFY_VOLUME              volume_id mutable_params
            ControllerListVolumeHealth      controller.LIST_VOLUME_HEALTH
            ControllerGetVolumeHealth       controller.GET_VOLUME_HEALTH|controller.LIST_VOLUME_HEALTH  volume_id
            GroupControllerGetCapabilities  plugin.GROUP_CONTROLLER_SERVICE
            CreateVolumeGroupSnapshot       group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT  name source_volume_ids
            DeleteVolumeGroupSnapshot       group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT  group_snapshot_id
            GetVolumeGroupSnapshot          group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT  group_snapshot_id
            GetMetadataAllocated            plugin.SNAPSHOT_METADATA_SERVICE      snapshot_id
            GetMetadataDelta                plugin.SNAPSHOT_METADATA_SERVICE      base_snapshot_id target_snapshot_id
            NodeStageVolume                 node.STAGE_UNSTAGE_VOLUME  volume_id staging_target_path volume_capability
            NodeUnstageVolume               node.STAGE_UNSTAGE_VOLUME  volume_id staging_target_path
            NodePublishVolume               -  volume_id target_path volume_capability
            NodeUnpublishVolume             -  volume_id target_path
            NodeGetVolumeStats              node.GET_VOLUME_STATS|node.VOLUME_CONDITION  volume_id volume_path
            NodeGetVolumeHealth             node.GET_VOLUME_HEALTH  volume_id
            NodeGetStorageHealth            node.GET_STORAGE_HEALTH
            NodeExpandVolume                node.EXPAND_VOLUME      volume_id volume_path
            NodeGetCapabilities             -
            NodeGetInfo                     -
            """;

    private static final Map<String, Requirements> ROWS = rows();

    private final List<String> capabilities;
    private final List<String> fields;

    private Requirements(List<String> capabilities, List<String> fields) {
        this.capabilities = capabilities;
        this.fields = fields;
    }

    private static Map<String, Requirements> rows() {
        Map<String, Requirements> rows = new LinkedHashMap<>();
        TABLE.lines()
                .map(line -> line.split("\\s+"))
                .forEach(words -> rows.put(
                        words[0],
                        new Requirements(
                                words[1].equals("-") ? List.of() : List.of(words[1].split("\\|")),
                                List.copyOf(Arrays.asList(words).subList(2, words.length)))));
        return Collections.unmodifiableMap(rows);
    }

    static Requirements of(String rpc) {
        return Objects.requireNonNull(ROWS.get(rpc), rpc);
    }

    /** A driver with one of these must serve the call. Empty for a call that every driver serves. */
    List<String> capabilities() {
        return capabilities;
    }

    /** The required fields that the request leaves empty. */
    List<String> missing(Message request) {
        List<String> missing = new ArrayList<>();
        for (String name : fields) {
            FieldDescriptor field =
                    Objects.requireNonNull(request.getDescriptorForType().findFieldByName(name), name);
            boolean there = field.isRepeated() ? request.getRepeatedFieldCount(field) > 0 : request.hasField(field);
            if (!field.isRepeated() && field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
                there = !request.getField(field).equals(field.getDefaultValue());
            }
            if (!there) {
                missing.add(name);
            }
        }
        return missing;
    }
}
