package io.volume4j.csi.driver.oracle;

/**
 * What a correct caller never does. Some rules name their section of the specification.
 *
 * @since 0.1.0
 */
public enum Rule {
    /** A call for a volume while the caller still waits for another call for it ("Concurrency"). */
    OVERLAP,
    /** A call whose capability the driver does not have. */
    WITHOUT_CAPABILITY,
    /** A call without a required field. */
    INCOMPLETE,
    /** A call for an existing name or target, with other arguments. */
    OTHER_ARGUMENTS,
    /** DeleteVolume of a volume that is attached, staged or published. */
    DELETED_IN_USE,
    /** ControllerUnpublishVolume while the volume is staged or published on the node. */
    DETACHED_IN_USE,
    /** NodeUnstageVolume while the volume is published on the node. */
    UNSTAGED_IN_USE,
    /** NodeStageVolume or NodePublishVolume on a node without an attachment. */
    NOT_ATTACHED,
    /** NodePublishVolume of a volume that is not staged, or staged elsewhere. */
    NOT_STAGED,
    /** A volume staged at two paths, or two volumes at one. */
    STAGING_PATH,
    /** The staging directory or the target's parent, which the caller must create, is missing. */
    PATH_MISSING,
    /** A target that another volume uses, or that contains files. */
    TARGET_TAKEN,
    /** A second target on a node for a volume whose access mode allows one ("NodePublishVolume"). */
    SECOND_TARGET,
    /** A single-node volume on two nodes, or a single-writer volume that two nodes may write. */
    SPLIT_BRAIN,
    /** A publish context that differs from that of ControllerPublishVolume. */
    PUBLISH_CONTEXT,
    /** A volume context that differs from that of CreateVolume. */
    VOLUME_CONTEXT,
    /** A call without the required secrets, or with wrong ones. */
    SECRETS,
    /** {@code readonly} for a driver without PUBLISH_READONLY. */
    READONLY,
    /** A volume on a node from which it is not accessible. */
    TOPOLOGY,
    /** An expansion of a published volume with a driver that expands only offline. */
    EXPANDED_IN_USE,
    /** DeleteSnapshot of a member of a group. */
    GROUP_MEMBER
}
