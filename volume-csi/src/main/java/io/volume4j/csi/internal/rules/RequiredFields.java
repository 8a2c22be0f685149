package io.volume4j.csi.internal.rules;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CsiProto;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Which fields a request must fill, as the CSI specification marks them; a list or map that is required needs an element.
 * What is required only with some capability is in {@link Gates}.
 */
final class RequiredFields {
    private static final String TABLE = """
            CreateVolumeRequest                 name volume_capabilities
            DeleteVolumeRequest                 volume_id
            ControllerPublishVolumeRequest      volume_id node_id volume_capability
            ControllerUnpublishVolumeRequest    volume_id
            ValidateVolumeCapabilitiesRequest   volume_id volume_capabilities
            CreateSnapshotRequest               source_volume_id name
            DeleteSnapshotRequest               snapshot_id
            GetSnapshotRequest                  snapshot_id
            ControllerExpandVolumeRequest       volume_id capacity_range
            ControllerGetVolumeRequest          volume_id
            ControllerModifyVolumeRequest       volume_id mutable_params
            CreateVolumeGroupSnapshotRequest    name source_volume_ids
            DeleteVolumeGroupSnapshotRequest    group_snapshot_id snapshot_ids
            GetVolumeGroupSnapshotRequest       group_snapshot_id snapshot_ids
            GetMetadataAllocatedRequest         snapshot_id
            GetMetadataDeltaRequest             base_snapshot_id target_snapshot_id
            NodeStageVolumeRequest              volume_id staging_target_path volume_capability
            NodeUnstageVolumeRequest            volume_id staging_target_path
            NodePublishVolumeRequest            volume_id target_path volume_capability
            NodeUnpublishVolumeRequest          volume_id target_path
            NodeGetVolumeStatsRequest           volume_id volume_path
            NodeExpandVolumeRequest             volume_id volume_path
            VolumeContentSource.SnapshotSource  snapshot_id
            VolumeContentSource.VolumeSource    volume_id
            VolumeCapability                    access_mode
            VolumeCapability.AccessMode         mode
            Topology                            segments
            """;

    private static final Map<Descriptor, List<FieldDescriptor>> FIELDS = parse();

    private RequiredFields() {}

    static List<FieldDescriptor> of(Descriptor type) {
        return FIELDS.getOrDefault(type, List.of());
    }

    static boolean filled(Message message, FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case STRING ->
                field.isRepeated()
                        ? message.getRepeatedFieldCount(field) > 0
                        : !((String) message.getField(field)).isEmpty();
            default -> field.isRepeated() ? message.getRepeatedFieldCount(field) > 0 : message.hasField(field);
        };
    }

    private static Map<Descriptor, List<FieldDescriptor>> parse() {
        Map<Descriptor, List<FieldDescriptor>> fields = new LinkedHashMap<>();
        TABLE.lines().map(line -> line.split(" +")).forEach(words -> {
            Descriptor type = type(words[0]);
            fields.put(
                    type,
                    Stream.of(words)
                            .skip(1)
                            .map(name -> Objects.requireNonNull(type.findFieldByName(name), name))
                            .toList());
        });
        return Collections.unmodifiableMap(fields);
    }

    private static Descriptor type(String name) {
        String[] path = name.split("\\.");
        Descriptor type = CsiProto.getDescriptor().findMessageTypeByName(path[0]);
        for (int i = 1; i < path.length; i++) {
            type = Objects.requireNonNull(type, name).findNestedTypeByName(path[i]);
        }
        return Objects.requireNonNull(type, name);
    }
}
