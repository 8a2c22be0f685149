package io.volume4j.core.control.modify;

/** Reasons of the events about changing the attributes of volumes. */
public final class ModifyReason {
    private ModifyReason() {}

    public static final String VOLUME_MODIFY_FAILED = "VolumeModifyFailed";
    public static final String VOLUME_MODIFY_SUCCESSFUL = "VolumeModifySuccessful";
    public static final String VOLUME_MODIFY_WAITS = "VolumeModifyWaits";
}
