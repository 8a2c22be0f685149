package io.volume4j.examples.csilifecycle;

import java.util.Locale;

/** What a step does; the text is what a plan shows of it. */
enum Act {
    LOOK_AROUND("ListVolumes", "ListVolumes lists all volumes, page by page"),
    GET_CAPACITY("GetCapacity", "GetCapacity tells what is left for such a volume"),
    CREATE("CreateVolume", "CreateVolume makes a volume of at least the size, accessible where it was asked for"),
    VALIDATE("ValidateVolumeCapabilities", "ValidateVolumeCapabilities confirms what CreateVolume has accepted"),
    LIST("ListVolumes", "ListVolumes lists a volume that was made"),
    GET("ControllerGetVolume", "ControllerGetVolume knows a volume that was made"),
    ATTACH(
            "ControllerPublishVolume",
            "ControllerPublishVolume makes a volume available on the node that NodeGetInfo names"),
    STAGE("NodeStageVolume", "NodeStageVolume takes a directory that is there"),
    PUBLISH("NodePublishVolume", "NodePublishVolume makes the target where its parent is there"),
    WRITE("write and read a file", "a volume that was published for writing takes what is written and gives it back"),
    READ("read it again", "content outlives mounts, and a copy holds its source's"),
    LOOK("look into it, write nothing", "a volume that was published with readonly is mounted so and can be read"),
    STATS("NodeGetVolumeStats", "NodeGetVolumeStats answers for a published volume"),
    HEALTH(
            "ControllerGetVolumeHealth",
            "ControllerGetVolumeHealth knows a volume that was made, with a reason for each status and no pair twice"),
    LIST_HEALTH(
            "ControllerListVolumeHealth",
            "ControllerListVolumeHealth ends, and has each volume that ControllerGetVolumeHealth calls abnormal"),
    NODE_HEALTH(
            "NodeGetVolumeHealth",
            "NodeGetVolumeHealth knows a published volume, with a reason for each status and no pair twice"),
    STORAGE_HEALTH(
            "NodeGetStorageHealth",
            "NodeGetStorageHealth answers, with a reason for each status and none twice for one use"),
    EXPAND(
            "ControllerExpandVolume",
            "ControllerExpandVolume and NodeExpandVolume grow a volume, in use or not, as the driver says it can"),
    MODIFY("ControllerModifyVolume", "ControllerModifyVolume takes the parameters that it is known to take"),
    SNAPSHOT("CreateSnapshot", "CreateSnapshot answers the same call with the same snapshot until it is ready"),
    LIST_SNAPSHOTS("ListSnapshots", "ListSnapshots lists a snapshot that was cut"),
    GET_SNAPSHOT("GetSnapshot", "GetSnapshot knows a snapshot that was cut, and it stays ready"),
    METADATA("GetMetadataAllocated", "GetMetadataAllocated tells every block that was written"),
    WRITE_MORE("write another block", "a block device takes a write within its size"),
    METADATA_DELTA("GetMetadataDelta", "GetMetadataDelta tells every block that was written between two snapshots"),
    RESTORE("CreateVolume", "CreateVolume makes a volume of a snapshot"),
    CLONE("CreateVolume", "CreateVolume makes a volume of a volume"),
    DELETE_SNAPSHOT("DeleteSnapshot", "DeleteSnapshot deletes it, and again when it is gone"),
    GROUP("CreateVolumeGroupSnapshot", "CreateVolumeGroupSnapshot cuts volumes together"),
    GET_GROUP("GetVolumeGroupSnapshot", "GetVolumeGroupSnapshot knows a group that was cut"),
    DELETE_GROUP("DeleteVolumeGroupSnapshot", "DeleteVolumeGroupSnapshot deletes it with its members"),
    PUBLISH_INLINE("NodePublishVolume", "NodePublishVolume makes an inline volume"),
    UNPUBLISH("NodeUnpublishVolume", "NodeUnpublishVolume leaves nothing mounted at the target"),
    UNSTAGE("NodeUnstageVolume", "NodeUnstageVolume leaves nothing mounted at the staging path"),
    DETACH("ControllerUnpublishVolume", "ControllerUnpublishVolume takes a volume off the node"),
    DELETE("DeleteVolume", "DeleteVolume deletes a volume that nothing uses");

    private final String text;
    private final String rule;

    Act(String text, String rule) {
        this.text = text;
        this.rule = rule;
    }

    /** Its part of a case's id. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What a driver must do for the step to pass. */
    String rule() {
        return rule;
    }

    String text() {
        return text;
    }
}
