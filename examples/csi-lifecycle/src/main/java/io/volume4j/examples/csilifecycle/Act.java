package io.volume4j.examples.csilifecycle;

/** What a step does; the text is what a plan shows of it. */
enum Act {
    LOOK_AROUND("ListVolumes"),
    GET_CAPACITY("GetCapacity"),
    CREATE("CreateVolume"),
    VALIDATE("ValidateVolumeCapabilities"),
    LIST("ListVolumes"),
    GET("ControllerGetVolume"),
    ATTACH("ControllerPublishVolume"),
    STAGE("NodeStageVolume"),
    PUBLISH("NodePublishVolume"),
    WRITE("write and read a file"),
    READ("read it again"),
    LOOK("look into it, write nothing"),
    STATS("NodeGetVolumeStats"),
    EXPAND("ControllerExpandVolume"),
    MODIFY("ControllerModifyVolume"),
    SNAPSHOT("CreateSnapshot"),
    LIST_SNAPSHOTS("ListSnapshots"),
    GET_SNAPSHOT("GetSnapshot"),
    METADATA("GetMetadataAllocated"),
    WRITE_MORE("write another block"),
    METADATA_DELTA("GetMetadataDelta"),
    RESTORE("CreateVolume"),
    CLONE("CreateVolume"),
    DELETE_SNAPSHOT("DeleteSnapshot"),
    GROUP("CreateVolumeGroupSnapshot"),
    GET_GROUP("GetVolumeGroupSnapshot"),
    DELETE_GROUP("DeleteVolumeGroupSnapshot"),
    PUBLISH_INLINE("NodePublishVolume"),
    UNPUBLISH("NodeUnpublishVolume"),
    UNSTAGE("NodeUnstageVolume"),
    DETACH("ControllerUnpublishVolume"),
    DELETE("DeleteVolume");

    private final String text;

    Act(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
