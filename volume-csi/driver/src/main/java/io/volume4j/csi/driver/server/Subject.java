package io.volume4j.csi.driver.server;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Set;

/** Whom a call is about. */
final class Subject {
    /** The first of these that a request fills names its subject. */
    private static final List<String> FIELDS =
            List.of("volume_id", "snapshot_id", "group_snapshot_id", "target_snapshot_id", "name", "source_volume_id");

    /** What only reads may run beside anything. */
    private static final Set<String> READS = Set.of(
            "ValidateVolumeCapabilities",
            "ListVolumes",
            "ListSnapshots",
            "GetSnapshot",
            "ControllerGetVolume",
            "GetCapacity",
            "GetVolumeGroupSnapshot",
            "GetMetadataAllocated",
            "GetMetadataDelta",
            "NodeGetVolumeStats",
            "ControllerListVolumeHealth",
            "ControllerGetVolumeHealth",
            "NodeGetVolumeHealth",
            "NodeGetStorageHealth");

    private Subject() {}

    /** An id, or the name where there is none yet; empty if the call is about none. */
    static String of(Message request) {
        for (String name : FIELDS) {
            FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
            if (field != null
                    && !field.isRepeated()
                    && request.getField(field) instanceof String text
                    && !text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    /** What no two calls may hold at once, empty for nothing: a subject, on a node or on the controller. */
    static String exclusive(String rpc, String node, String subject) {
        if (subject.isEmpty() || READS.contains(rpc)) {
            return "";
        }
        return (rpc.startsWith("Node") ? node : "") + "/" + subject;
    }
}
