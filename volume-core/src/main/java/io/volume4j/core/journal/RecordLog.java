package io.volume4j.core.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The disk part of a journal. {@link GroupCommitJournal} uses it from one thread at a time. It makes no decisions
 * about queues, order or retries.
 */
interface RecordLog {

    /**
     * Adds one record to the next group and assigns the next sequence number.
     *
     * @throws NoSpaceException if there is no space for a record of that priority; nothing was added
     * @throws IOException if the file is no longer trusted
     */
    long add(JournalEntry entry, AppendPriority priority) throws IOException;

    /** Writes the group. After an exception the file is no longer trusted. */
    void write() throws IOException;

    /** Makes written records durable. After an exception the file is no longer trusted. */
    void sync() throws IOException;

    /**
     * Writes and syncs a snapshot to another file. The current file stays unchanged.
     *
     * @throws NoSpaceException if there is no space for it
     * @throws SnapshotFailedException if the snapshot could not be iterated
     */
    void prepareSnapshot(Iterable<JournalEntry> snapshot) throws IOException;

    /**
     * Makes the prepared snapshot current and returns the sequence number of its last record. After an exception it is
     * unknown which of the two files a restart would find, so neither is trusted.
     */
    long installSnapshot() throws IOException;

    /** Stops trusting the file, as after a failed write. */
    void distrust();

    /** False after a failed write or sync, until a snapshot in a new file is current. */
    boolean trusted();

    /** Bytes of header and records. */
    long size();

    /** Whether the log exceeds the configured size relative to its last snapshot. */
    boolean outgrown();

    /** If there is no space: whether a compaction would free enough to justify its writes. */
    boolean worthCompacting();

    /** Releases files and locks. Syncs nothing. */
    void close();

    /** There is no space, and nothing was changed. */
    final class NoSpaceException extends IOException {
        private static final long serialVersionUID = 1L;

        NoSpaceException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The owner's iterator threw an exception. */
    final class SnapshotFailedException extends IOException {
        private static final long serialVersionUID = 1L;

        SnapshotFailedException(RuntimeException cause) {
            super(cause.toString(), cause);
        }
    }
}
