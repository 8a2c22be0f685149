package io.volume4j.spi.model;

/**
 * Keys and values that orchestrators agree on.
 *
 * @since 0.1.0
 */
public final class WellKnown {
    private WellKnown() {}

    /** A claim's or volume's class in the notation that came before {@code storageClassName}, and that beats it. */
    public static final String BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

    public static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    public static final String BETA_DEFAULT_CLASS = "storageclass.beta.kubernetes.io/is-default-class";

    /** Provisioner of classes that never make a volume. */
    public static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    /** On a claim: the provisioner that is to make its volume. */
    public static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

    public static final String BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

    /** On a volume that is being expanded: the size that its claim still has. */
    public static final String PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

    /** On a claim: the node that the scheduler chose, for classes that wait for the first consumer. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** On a claim whose binding was completed once: whatever is missing later was lost. */
    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /** On what the controller bound, unlike what a person reserved. */
    public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    /** On a volume: the provisioner that made it. */
    public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    public static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

    /** Keeps a volume while it is bound. */
    public static final String PV_PROTECTION = "kubernetes.io/pv-protection";

    /** Keeps a claim while pods use it. */
    public static final String PVC_PROTECTION = "kubernetes.io/pvc-protection";

    /** On a node: its volumes are attached by the control plane. */
    public static final String CONTROLLER_MANAGED_ATTACH = "volumes.kubernetes.io/controller-managed-attach-detach";

    /** On a node: volumes of terminated pods stay attached and mounted until the pod object goes. */
    public static final String KEEP_TERMINATED_POD_VOLUMES = "volumes.kubernetes.io/keep-terminated-pod-volumes";

    /** Taint of a node that a person has declared dead: its volumes may be taken away. */
    public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    /** On a volume: a group that its pods' processes need. */
    public static final String VOLUME_GID = "pv.beta.kubernetes.io/gid";

    /** On a snapshot class: taken by snapshots that name none, one for each driver. */
    public static final String DEFAULT_SNAPSHOT_CLASS = "snapshot.storage.kubernetes.io/is-default-class";

    /** The same for classes of group snapshots. */
    public static final String DEFAULT_GROUP_SNAPSHOT_CLASS = "groupsnapshot.storage.kubernetes.io/is-default-class";

    /** On the content of a snapshot: the backend may be cutting it; written before the call. */
    public static final String SNAPSHOT_BEING_CREATED = "snapshot.storage.kubernetes.io/volumesnapshot-being-created";

    /** On the content of a snapshot: its snapshot is being deleted, so that it may go. */
    public static final String SNAPSHOT_BEING_DELETED = "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted";

    /** On the content of a snapshot: the secret that destroying it needs, by name; its namespace beside it. */
    public static final String DELETION_SECRET_NAME = "snapshot.storage.kubernetes.io/deletion-secret-name";

    public static final String DELETION_SECRET_NAMESPACE = "snapshot.storage.kubernetes.io/deletion-secret-namespace";

    /** On the content of a snapshot: volumes of the other volume mode may be made from it. */
    public static final String ALLOW_MODE_CHANGE = "snapshot.storage.kubernetes.io/allow-volume-mode-change";

    /** Keeps the content of a snapshot until the backend's snapshot is gone. */
    public static final String SNAPSHOT_CONTENT_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";

    /** Keeps a snapshot until its content is gone. */
    public static final String SNAPSHOT_BOUND_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection";

    /** Keeps a snapshot while claims are made from it. */
    public static final String SNAPSHOT_SOURCE_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";

    /** Keeps a snapshot that was cut with others while their group lives. */
    public static final String SNAPSHOT_GROUP_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection";

    /** Keeps a claim while snapshots of it are made. */
    public static final String SNAPSHOTTED_PROTECTION = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

    /** Keeps a claim while others are cloned from it. */
    public static final String CLONING_PROTECTION = "provisioner.storage.kubernetes.io/cloning-protection";

    /** Keeps the content of a group snapshot until the backend's group is gone. */
    public static final String GROUP_CONTENT_PROTECTION =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection";

    /** Keeps a group snapshot until its content is gone. */
    public static final String GROUP_BOUND_PROTECTION =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection";

    /** On the content of a group snapshot: the backend may be cutting it; written before the call. */
    public static final String GROUP_BEING_CREATED =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created";

    /** On the content of a group snapshot: its group snapshot is being deleted, so that it may go. */
    public static final String GROUP_BEING_DELETED =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted";
}
