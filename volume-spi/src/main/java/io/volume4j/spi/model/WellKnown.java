package io.volume4j.spi.model;

/** Keys and values that orchestrators agree on. */
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
}
