package io.volume4j.core.node;

/** Whether a volume is mounted somewhere. */
public enum MountState {
    NOT_MOUNTED,
    /** It may be: never offered to a pod, never forgotten without proof. */
    UNCERTAIN,
    MOUNTED
}
