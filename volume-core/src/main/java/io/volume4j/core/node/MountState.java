package io.volume4j.core.node;

/** Whether a volume is mounted somewhere. */
public enum MountState {
    NOT_MOUNTED,
    /** It may be: never offered to a pod, never forgotten without proof. */
    UNCERTAIN,
    /** Certainly mounted for a pod, but the pod's group may not own all files yet: not offered to the pod. */
    FS_GROUP_PENDING,
    /** Certainly mounted, and its group owns the files, but not seen with the IDs of the pod's users yet: not offered to the pod. */
    IDS_PENDING,
    /** Certainly mounted, its group owns the files, and they are seen with the pod's IDs, but some subPaths may not be bound yet: not offered to the pod. */
    SUBPATHS_PENDING,
    MOUNTED;

    /** Whether it certainly is mounted, ready for its pod or not. */
    public boolean certain() {
        return compareTo(UNCERTAIN) > 0;
    }
}
