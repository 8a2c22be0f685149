package io.volume4j.examples.csilifecycle;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The kinds of steps; a plan shows the text. */
enum Act {
    PLUGIN_INFO("GetPluginInfo", "GetPluginInfo gives one name in the form of a domain name, the same on each socket"),
    PROBE("Probe", "Probe is ready once the driver has said so"),
    NODE_INFO("NodeGetInfo", "NodeGetInfo names the node in at most 256 bytes, and the same way each time"),
    LOOK_AROUND("ListVolumes", "ListVolumes lists all volumes, page by page"),
    GET_CAPACITY("GetCapacity", "GetCapacity tells what is left for such a volume"),
    CREATE("CreateVolume", "CreateVolume makes a volume of at least the size, accessible where it was asked for"),
    CREATE_AGAIN("CreateVolume", "CreateVolume answers the same call with the same volume"),
    CREATE_OTHER("CreateVolume", "CreateVolume refuses a name that stands for a smaller volume with ALREADY_EXISTS"),
    CREATE_FROM_NO_SNAPSHOT("CreateVolume", "CreateVolume answers NOT_FOUND for a snapshot that there is not"),
    CREATE_FROM_NO_VOLUME("CreateVolume", "CreateVolume answers NOT_FOUND for a source volume that there is not"),
    VALIDATE("ValidateVolumeCapabilities", "ValidateVolumeCapabilities confirms what CreateVolume has accepted"),
    VALIDATE_UNKNOWN(
            "ValidateVolumeCapabilities",
            "ValidateVolumeCapabilities answers NOT_FOUND for a volume that there is not"),
    LIST_ODD_TOKEN("ListVolumes", "ListVolumes refuses a token that it never gave with ABORTED"),
    LIST("ListVolumes", "ListVolumes lists a volume that was made"),
    GET("ControllerGetVolume", "ControllerGetVolume knows a volume that was made"),
    GET_UNKNOWN("ControllerGetVolume", "ControllerGetVolume answers NOT_FOUND for a volume that there is not"),
    DELETE_UNKNOWN("DeleteVolume", "DeleteVolume answers OK for a volume that there is not"),
    LIST_PAGE("ListVolumes", "ListVolumes gives at most max_entries, and a token while there is more"),
    ATTACH(
            "ControllerPublishVolume",
            "ControllerPublishVolume makes a volume available on the node that NodeGetInfo names"),
    ATTACH_AGAIN("ControllerPublishVolume", "ControllerPublishVolume answers the same call with OK"),
    ATTACH_UNKNOWN(
            "ControllerPublishVolume", "ControllerPublishVolume answers NOT_FOUND for a volume that there is not"),
    ATTACH_NOWHERE("ControllerPublishVolume", "ControllerPublishVolume answers NOT_FOUND for a node that there is not"),
    STAGE("NodeStageVolume", "NodeStageVolume takes a directory that is there"),
    STAGE_AGAIN("NodeStageVolume", "NodeStageVolume answers the same call with OK"),
    STAGE_UNKNOWN("NodeStageVolume", "NodeStageVolume answers NOT_FOUND for a volume that there is not"),
    PUBLISH("NodePublishVolume", "NodePublishVolume makes the target where its parent is there"),
    PUBLISH_AGAIN("NodePublishVolume", "NodePublishVolume answers the same call with OK"),
    PUBLISH_OTHERWISE(
            "NodePublishVolume",
            "NodePublishVolume refuses a target that is published for writing with ALREADY_EXISTS when readonly is asked for"),
    WRITE(
            "write and read a file",
            "a volume that was published for writing takes what is written and gives it back; a device has the size told"),
    READ("read it again", "content outlives mounts, and a copy holds its source's"),
    LOOK("look into it, write nothing", "a volume that was published with readonly is mounted so and can be read"),
    STATS("NodeGetVolumeStats", "NodeGetVolumeStats answers for a published volume"),
    STATS_UNKNOWN("NodeGetVolumeStats", "NodeGetVolumeStats answers NOT_FOUND for a volume that there is not"),
    HEALTH(
            "ControllerGetVolumeHealth",
            "ControllerGetVolumeHealth knows a volume that was made, with a reason for each status and no pair twice"),
    LIST_HEALTH(
            "ControllerListVolumeHealth",
            "ControllerListVolumeHealth ends, and has each volume that ControllerGetVolumeHealth calls abnormal"),
    HEALTH_UNKNOWN(
            "ControllerGetVolumeHealth", "ControllerGetVolumeHealth answers NOT_FOUND for a volume that there is not"),
    NODE_HEALTH(
            "NodeGetVolumeHealth",
            "NodeGetVolumeHealth knows a published volume, with a reason for each status and no pair twice"),
    STORAGE_HEALTH(
            "NodeGetStorageHealth",
            "NodeGetStorageHealth answers, with a reason for each status and none twice for one use"),
    EXPAND(
            "ControllerExpandVolume",
            "ControllerExpandVolume and NodeExpandVolume grow a volume, in use or not, as the driver says it can"),
    EXPAND_AGAIN("ControllerExpandVolume", "ControllerExpandVolume answers OK for a volume that has the size already"),
    EXPAND_UNKNOWN("ControllerExpandVolume", "ControllerExpandVolume answers NOT_FOUND for a volume that there is not"),
    MODIFY("ControllerModifyVolume", "ControllerModifyVolume takes the parameters that it is known to take"),
    MODIFY_AGAIN("ControllerModifyVolume", "ControllerModifyVolume answers the same call with OK"),
    MODIFY_UNKNOWN("ControllerModifyVolume", "ControllerModifyVolume answers NOT_FOUND for a volume that there is not"),
    SNAPSHOT("CreateSnapshot", "CreateSnapshot answers the same call with the same snapshot until it is ready"),
    LIST_SNAPSHOTS("ListSnapshots", "ListSnapshots lists a snapshot that was cut"),
    LIST_SNAPSHOTS_OF("ListSnapshots", "ListSnapshots of a volume lists its snapshots and no others"),
    LIST_SNAPSHOTS_UNKNOWN("ListSnapshots", "ListSnapshots of a snapshot that there is not gives an empty list"),
    LIST_SNAPSHOTS_ODD_TOKEN("ListSnapshots", "ListSnapshots refuses a token that it never gave with ABORTED"),
    GET_SNAPSHOT("GetSnapshot", "GetSnapshot knows a snapshot that was cut, and it stays ready"),
    GET_SNAPSHOT_UNKNOWN("GetSnapshot", "GetSnapshot answers NOT_FOUND for a snapshot that there is not"),
    SNAPSHOT_OTHER(
            "CreateSnapshot",
            "CreateSnapshot refuses a name that stands for another volume's snapshot with ALREADY_EXISTS"),
    METADATA("GetMetadataAllocated", "GetMetadataAllocated tells every block that was written"),
    WRITE_MORE("write another block", "a block device takes a write within its size"),
    METADATA_DELTA("GetMetadataDelta", "GetMetadataDelta tells every block that was written between two snapshots"),
    RESTORE("CreateVolume", "CreateVolume makes a volume of a snapshot"),
    CLONE("CreateVolume", "CreateVolume makes a volume of a volume"),
    DELETE_SNAPSHOT("DeleteSnapshot", "DeleteSnapshot deletes a snapshot whose copies live on"),
    DELETE_SNAPSHOT_AGAIN("DeleteSnapshot", "DeleteSnapshot answers OK when the snapshot is gone"),
    DELETE_SNAPSHOT_UNKNOWN("DeleteSnapshot", "DeleteSnapshot answers OK for a snapshot that there is not"),
    GROUP("CreateVolumeGroupSnapshot", "CreateVolumeGroupSnapshot cuts volumes together"),
    GET_GROUP("GetVolumeGroupSnapshot", "GetVolumeGroupSnapshot knows a group that was cut"),
    GET_GROUP_UNKNOWN(
            "GetVolumeGroupSnapshot", "GetVolumeGroupSnapshot answers NOT_FOUND for a group that there is not"),
    DELETE_GROUP("DeleteVolumeGroupSnapshot", "DeleteVolumeGroupSnapshot deletes it with its members"),
    DELETE_GROUP_AGAIN("DeleteVolumeGroupSnapshot", "DeleteVolumeGroupSnapshot answers OK when the group is gone"),
    DELETE_GROUP_UNKNOWN(
            "DeleteVolumeGroupSnapshot", "DeleteVolumeGroupSnapshot answers OK for a group that there is not"),
    PUBLISH_INLINE("NodePublishVolume", "NodePublishVolume makes an inline volume"),
    UNPUBLISH("NodeUnpublishVolume", "NodeUnpublishVolume leaves nothing mounted at the target"),
    UNPUBLISH_AGAIN("NodeUnpublishVolume", "NodeUnpublishVolume answers OK when nothing is mounted any more"),
    UNSTAGE("NodeUnstageVolume", "NodeUnstageVolume leaves nothing mounted at the staging path"),
    UNSTAGE_AGAIN("NodeUnstageVolume", "NodeUnstageVolume answers OK when nothing is staged any more"),
    DETACH("ControllerUnpublishVolume", "ControllerUnpublishVolume takes a volume off the node"),
    DETACH_AGAIN("ControllerUnpublishVolume", "ControllerUnpublishVolume answers OK when the volume is off the node"),
    DELETE("DeleteVolume", "DeleteVolume deletes a volume that nothing uses"),
    DELETE_AGAIN("DeleteVolume", "DeleteVolume answers OK when the volume is gone"),
    /** The step has the field and the expected answer. */
    WITHOUT_FIELD("a request without a field", "");

    /** Steps that no later step needs: their failure does not end the run. */
    private static final Set<Act> QUESTIONS = EnumSet.of(
            PLUGIN_INFO,
            PROBE,
            NODE_INFO,
            CREATE_AGAIN,
            CREATE_OTHER,
            CREATE_FROM_NO_SNAPSHOT,
            CREATE_FROM_NO_VOLUME,
            GET_UNKNOWN,
            DELETE_UNKNOWN,
            LIST_PAGE,
            VALIDATE_UNKNOWN,
            LIST_ODD_TOKEN,
            ATTACH_AGAIN,
            ATTACH_UNKNOWN,
            ATTACH_NOWHERE,
            STAGE_AGAIN,
            STAGE_UNKNOWN,
            PUBLISH_AGAIN,
            PUBLISH_OTHERWISE,
            STATS_UNKNOWN,
            HEALTH_UNKNOWN,
            EXPAND_AGAIN,
            EXPAND_UNKNOWN,
            MODIFY_AGAIN,
            MODIFY_UNKNOWN,
            LIST_SNAPSHOTS_OF,
            LIST_SNAPSHOTS_UNKNOWN,
            LIST_SNAPSHOTS_ODD_TOKEN,
            GET_SNAPSHOT_UNKNOWN,
            SNAPSHOT_OTHER,
            DELETE_SNAPSHOT_UNKNOWN,
            GET_GROUP_UNKNOWN,
            DELETE_GROUP_UNKNOWN,
            DELETE_SNAPSHOT_AGAIN,
            DELETE_GROUP_AGAIN,
            UNPUBLISH_AGAIN,
            UNSTAGE_AGAIN,
            DETACH_AGAIN,
            DELETE_AGAIN,
            WITHOUT_FIELD);

    private final String text;
    private final String rule;

    Act(String text, String rule) {
        this.text = text;
        this.rule = rule;
    }

    /** Whether the run continues after a failure of the step. */
    boolean isQuestion() {
        return QUESTIONS.contains(this);
    }

    /** Its part of a case's id. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The rule that a driver must follow. */
    String rule() {
        return rule;
    }

    String text() {
        return text;
    }
}
