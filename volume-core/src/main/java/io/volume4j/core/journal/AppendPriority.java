package io.volume4j.core.journal;

/** The priority of a record when the disk is full. */
public enum AppendPriority {
    /** The journal refuses the record with {@link JournalException.Kind#NO_SPACE} when only the reserve is left. */
    NORMAL,
    /** The record may use the reserve, so that a node with a full disk can still unmount and detach. */
    TEARDOWN
}
