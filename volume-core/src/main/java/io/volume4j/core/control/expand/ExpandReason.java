package io.volume4j.core.control.expand;

/** Reasons of the events about expanding and changing volumes. */
public final class ExpandReason {
    private ExpandReason() {}

    public static final String EXTERNAL_EXPANDING = "ExternalExpanding";
    public static final String VOLUME_RESIZE_FAILED = "VolumeResizeFailed";
    public static final String VOLUME_RESIZE_SUCCESSFUL = "VolumeResizeSuccessful";
    public static final String FILE_SYSTEM_RESIZE_REQUIRED = "FileSystemResizeRequired";
    public static final String VOLUME_MODIFY_FAILED = "VolumeModifyFailed";
    public static final String VOLUME_MODIFY_SUCCESSFUL = "VolumeModifySuccessful";
    public static final String VOLUME_MODIFY_WAITS = "VolumeModifyWaits";
}
