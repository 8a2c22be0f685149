package io.volume4j.core.control.expand;

/** Reasons of the events about expanding volumes. */
public final class ExpandReason {
    private ExpandReason() {}

    public static final String EXTERNAL_EXPANDING = "ExternalExpanding";
    public static final String VOLUME_RESIZE_FAILED = "VolumeResizeFailed";
    public static final String VOLUME_RESIZE_SUCCESSFUL = "VolumeResizeSuccessful";
    public static final String FILE_SYSTEM_RESIZE_REQUIRED = "FileSystemResizeRequired";
}
