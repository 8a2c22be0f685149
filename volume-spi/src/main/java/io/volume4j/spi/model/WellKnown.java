package io.volume4j.spi.model;

/**
 * Annotations, labels, finalizers and taints that orchestrators share.
 *
 * @since 0.1.0
 */
public final class WellKnown {
    private WellKnown() {}

    /**
     * Annotation of a claim or volume: its class, in the notation before {@code storageClassName}. It overrides that
     * field.
     */
    public static final String BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

    public static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    public static final String BETA_DEFAULT_CLASS = "storageclass.beta.kubernetes.io/is-default-class";

    /** The provisioner of classes without provisioning. */
    public static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    /** On a claim: the provisioner that must create its volume. */
    public static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

    public static final String BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

    /** On a volume that is being expanded: the current size of its claim. */
    public static final String PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

    /** On a claim: the node that the scheduler chose, for classes that wait for the first consumer. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** On a claim whose binding was completed once. If its volume is missing later, the volume is lost. */
    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /** On a claim or volume that the controller bound, not a person. */
    public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    /** On a volume: the provisioner that created it. */
    public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    public static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

    /** On a CSINode: in-tree plugins, by their old names, whose volumes the node's drivers handle. */
    public static final String MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins";

    /** Finalizer: keeps a volume while it is bound. */
    public static final String PV_PROTECTION = "kubernetes.io/pv-protection";

    /** Finalizer: keeps a claim while pods use it. */
    public static final String PVC_PROTECTION = "kubernetes.io/pvc-protection";

    /** On a node: the control plane attaches its volumes. */
    public static final String CONTROLLER_MANAGED_ATTACH = "volumes.kubernetes.io/controller-managed-attach-detach";

    /** On a node: volumes of terminated pods stay attached and mounted until the pod object is deleted. */
    public static final String KEEP_TERMINATED_POD_VOLUMES = "volumes.kubernetes.io/keep-terminated-pod-volumes";

    /** Taint of a node that a person has declared out of service. The controller may detach its volumes. */
    public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    /**
     * On a VolumeAttachment: the CSI driver's id of the node at the last attach call. Kubernetes' external-attacher writes it. The library
     * writes it if the state that a plugin returns has this key, and a plugin gets the annotation's value under this key.
     */
    public static final String ATTACHED_NODE_ID = "csi.alpha.kubernetes.io/node-id";

    /** On a volume: a supplemental group that its pods' processes need. */
    public static final String VOLUME_GID = "pv.beta.kubernetes.io/gid";

    /** On a snapshot class: it is the default class of its driver, for snapshots that name no class. */
    public static final String DEFAULT_SNAPSHOT_CLASS = "snapshot.storage.kubernetes.io/is-default-class";

    /** On a group snapshot class: it is the default class of its driver. */
    public static final String DEFAULT_GROUP_SNAPSHOT_CLASS = "groupsnapshot.storage.kubernetes.io/is-default-class";

    /**
     * On the content of a snapshot: the backend may be creating the snapshot. The controller writes it before the
     * call.
     */
    public static final String SNAPSHOT_BEING_CREATED = "snapshot.storage.kubernetes.io/volumesnapshot-being-created";

    /** On the content of a snapshot: its snapshot is being deleted, so the content may be deleted. */
    public static final String SNAPSHOT_BEING_DELETED = "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted";

    /**
     * On the content of a snapshot: the name of the secret that its deletion needs. The next constant is its
     * namespace.
     */
    public static final String DELETION_SECRET_NAME = "snapshot.storage.kubernetes.io/deletion-secret-name";

    /** On the content of a snapshot: the namespace of the secret that its deletion needs. */
    public static final String DELETION_SECRET_NAMESPACE = "snapshot.storage.kubernetes.io/deletion-secret-namespace";

    /** On the content of a snapshot: volumes of the other volume mode may be created from it. */
    public static final String ALLOW_MODE_CHANGE = "snapshot.storage.kubernetes.io/allow-volume-mode-change";

    /** Finalizer: keeps the content of a snapshot until the backend's snapshot is deleted. */
    public static final String SNAPSHOT_CONTENT_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";

    /** Finalizer: keeps a snapshot until its content is deleted. */
    public static final String SNAPSHOT_BOUND_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection";

    /** Finalizer: keeps a snapshot while claims are created from it. */
    public static final String SNAPSHOT_SOURCE_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";

    /** Finalizer: keeps a member of a group snapshot while the group exists. */
    public static final String SNAPSHOT_GROUP_PROTECTION =
            "snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection";

    /** Finalizer: keeps a claim while snapshots of it are created. */
    public static final String SNAPSHOTTED_PROTECTION = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

    /** Finalizer: keeps a claim while other claims are cloned from it. */
    public static final String CLONING_PROTECTION = "provisioner.storage.kubernetes.io/cloning-protection";

    /** Finalizer: keeps the content of a group snapshot until the backend's group is deleted. */
    public static final String GROUP_CONTENT_PROTECTION =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection";

    /** Finalizer: keeps a group snapshot until its content is deleted. */
    public static final String GROUP_BOUND_PROTECTION =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection";

    /**
     * On the content of a group snapshot: the backend may be creating the group. The controller writes it before the
     * call.
     */
    public static final String GROUP_BEING_CREATED =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created";

    /** On the content of a group snapshot: its group snapshot is being deleted, so the content may be deleted. */
    public static final String GROUP_BEING_DELETED =
            "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted";
}
