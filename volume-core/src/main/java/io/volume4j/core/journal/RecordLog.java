package io.volume4j.core.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The disk's side of a journal, driven by {@link GroupCommitJournal} from one thread at a time. It decides nothing about
 * queues, order or retries.
 */
interface RecordLog {

    /**
     * Takes one record into the group being built and gives it the next sequence number.
     *
     * @throws NoSpaceException if there is no room for a record of that priority; nothing was taken
     * @throws IOException if the file can no longer be trusted
     */
    long add(JournalEntry entry, AppendPriority priority) throws IOException;

    /** Writes the group. After an exception the file can no longer be trusted. */
    void write() throws IOException;

    /** Makes what was written durable. After an exception the file can no longer be trusted. */
    void sync() throws IOException;

    /**
     * Writes and syncs a snapshot beside the file in force, which stays untouched.
     *
     * @throws NoSpaceException if there is no room for it
     * @throws SnapshotFailedException if the snapshot could not be iterated
     */
    void prepareSnapshot(Iterable<JournalEntry> snapshot) throws IOException;

    /**
     * Puts the prepared snapshot in force and returns the sequence number of its last record. After an exception it is
     * unknown which of the two files a restart would find, so neither can be trusted.
     */
    long installSnapshot() throws IOException;

    /** Takes the file for lost, as after a failed write. */
    void distrust();

    /** False from a failed write or sync on, until a snapshot is in force in a new file. */
    boolean trusted();

    /** Bytes of header and records. */
    long size();

    /** Whether the log has outgrown its last snapshot by the configured bounds. */
    boolean outgrown();

    /** Whether a compaction would give back so much that it is worth its writes when there is no room. */
    boolean worthCompacting();

    /** Releases files and locks; syncs nothing. */
    void close();

    /** There is no room, and nothing was changed by finding out. */
    final class NoSpaceException extends IOException {
        private static final long serialVersionUID = 1L;

        NoSpaceException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The owner's iterator threw. */
    final class SnapshotFailedException extends IOException {
        private static final long serialVersionUID = 1L;

        SnapshotFailedException(RuntimeException cause) {
            super(cause.toString(), cause);
        }
    }
}
