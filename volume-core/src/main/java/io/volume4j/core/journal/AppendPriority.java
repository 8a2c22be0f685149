package io.volume4j.core.journal;

/** What a record may claim when the disk is full. */
public enum AppendPriority {
    /** Refused with {@link JournalException.Kind#NO_SPACE} when only the reserve is left. */
    NORMAL,
    /** May use the reserve, so that a node with a full disk can still unmount and detach. */
    TEARDOWN
}
