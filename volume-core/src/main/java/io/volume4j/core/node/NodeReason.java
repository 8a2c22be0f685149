package io.volume4j.core.node;

/** Reasons of the events that a node sends about pods. The names are the kubelet's, where it has one. */
public final class NodeReason {
    public static final String ATTACHED = "SuccessfulAttachVolume";
    public static final String FAILED_ATTACH = "FailedAttachVolume";
    public static final String FAILED_MOUNT = "FailedMount";
    /** {@link #FAILED_MOUNT} of a raw device. */
    public static final String FAILED_MAP = "FailedMapVolume";

    public static final String EXPANDED = "FileSystemResizeSuccessful";
    public static final String FAILED_EXPANSION = "VolumeResizeFailed";
    /** The filesystem stays small because the pod only reads it. */
    public static final String NOT_EXPANDED = "FileSystemResizeFailed";

    /** Another pod uses the volume with another fsGroup. */
    public static final String OTHER_FS_GROUP = "AlreadyMountedVolume";
    /** The fsGroup is being applied for long. */
    public static final String SLOW_FS_GROUP = "VolumePermissionChangeInProgress";

    public static final String ABNORMAL = "VolumeConditionAbnormal";
    public static final String NORMAL = "VolumeConditionNormal";

    private NodeReason() {}
}
