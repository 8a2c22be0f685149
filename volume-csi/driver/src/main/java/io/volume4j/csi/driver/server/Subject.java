package io.volume4j.csi.driver.server;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Set;

/** The subject of a call: the object that it is about. */
final class Subject {
    /** The first of these fields with a value names the subject. */
    private static final List<String> FIELDS =
            List.of("volume_id", "snapshot_id", "group_snapshot_id", "target_snapshot_id", "name", "source_volume_id");

    /** Calls that only read may run concurrently with any call. */
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

    /** The id of the subject, or its name before it has an id; empty if the call has no subject. */
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

    /**
     * The key for which only one call may run at a time: a subject on a node or on the controller; empty if there is no
     * limit.
     */
    static String exclusive(String rpc, String node, String subject) {
        if (subject.isEmpty() || READS.contains(rpc)) {
            return "";
        }
        return (rpc.startsWith("Node") ? node : "") + "/" + subject;
    }
}
