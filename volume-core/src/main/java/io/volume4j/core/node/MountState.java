package io.volume4j.core.node;

/** Whether a volume is mounted somewhere. */
public enum MountState {
    NOT_MOUNTED,
    /** It may be: never offered to a pod, never forgotten without proof. */
    UNCERTAIN,
    /** For a pod, certainly, but its files may not all be the pod's group's yet: not offered to it. */
    UNOWNED,
    /** Likewise, and owned, but the parts that single containers see may not all be bound yet. */
    UNDIVIDED,
    MOUNTED;

    /** Whether it certainly is mounted, ready for its pod or not. */
    public boolean certain() {
        return compareTo(UNCERTAIN) > 0;
    }
}
