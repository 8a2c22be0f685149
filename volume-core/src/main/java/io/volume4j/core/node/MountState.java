package io.volume4j.core.node;

/** Whether a volume is mounted somewhere. */
public enum MountState {
    NOT_MOUNTED,
    /** The volume may be mounted. The node does not give it to a pod, and forgets it only with proof. */
    UNCERTAIN,
    /** Certainly mounted for a pod, but the pod's group may not own all files yet. Not ready for the pod. */
    FS_GROUP_PENDING,
    /** Certainly mounted with the right group, but not yet with the IDs of the pod's users. Not ready for the pod. */
    IDS_PENDING,
    /**
     * Certainly mounted with the right group and IDs, but some subPaths may not be bound yet. Not ready for the pod.
     */
    SUBPATHS_PENDING,
    MOUNTED;

    /** Whether it is certainly mounted, ready for its pod or not. */
    public boolean certain() {
        return compareTo(UNCERTAIN) > 0;
    }
}
