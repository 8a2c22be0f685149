package io.volume4j.csi.driver.oracle;

/**
 * What a correct caller never does; the specification's section is named where there is one for it.
 *
 * @since 0.1.0
 */
public enum Rule {
    /** A call for a volume while another one for it is under way and still awaited ("Concurrency"). */
    OVERLAP,
    /** A call whose capability the driver does not have. */
    WITHOUT_CAPABILITY,
    /** A call that misses what every such call must carry. */
    INCOMPLETE,
    /** A name or a target that is taken, with other arguments. */
    OTHER_ARGUMENTS,
    /** DeleteVolume of a volume that is attached, staged or published. */
    DELETED_IN_USE,
    /** ControllerUnpublishVolume while the volume is staged or published on the node. */
    DETACHED_IN_USE,
    /** NodeUnstageVolume while the volume is published on the node. */
    UNSTAGED_IN_USE,
    /** NodeStageVolume or NodePublishVolume on a node that it is not attached to. */
    NOT_ATTACHED,
    /** NodePublishVolume of a volume that is not staged, or staged elsewhere. */
    NOT_STAGED,
    /** A volume staged at two paths, or two volumes at one. */
    STAGING_PATH,
    /** The staging directory or the target's parent, which are the caller's to make, is not there. */
    PATH_MISSING,
    /** A target published for another volume, or that holds files. */
    TARGET_TAKEN,
    /** A second target on a node for a volume whose access mode allows one ("NodePublishVolume"). */
    SECOND_TARGET,
    /** A volume that one node may have, on two; or one that one node may write, written on two. */
    SPLIT_BRAIN,
    /** A publish context that is not the one that ControllerPublishVolume returned. */
    PUBLISH_CONTEXT,
    /** A volume context that is not the one that CreateVolume returned. */
    VOLUME_CONTEXT,
    /** A call without the secrets that it must carry, or with others. */
    SECRETS,
    /** {@code readonly} towards a driver without PUBLISH_READONLY. */
    READONLY,
    /** A volume on a node that it is not accessible from. */
    TOPOLOGY,
    /** A growth of a published volume by a driver that only does so offline. */
    EXPANDED_IN_USE,
    /** DeleteSnapshot of a member of a group. */
    GROUP_MEMBER
}
