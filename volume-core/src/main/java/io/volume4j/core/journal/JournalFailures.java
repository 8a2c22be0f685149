package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalException.Kind;
import java.io.IOException;

/** The messages for failures of a running journal, in one place for a consistent style. */
final class JournalFailures {
    private JournalFailures() {}

    static JournalException queueFull(int records, long bytes) {
        return new JournalException(
                Kind.QUEUE_FULL,
                "journal refused a record: " + records + " records with " + bytes + " bytes already wait for the disk",
                "the disk is slower than the demand; try again when earlier records are durable");
    }

    static JournalException tooLarge(long bytes, int bound) {
        return new JournalException(
                Kind.RECORD_TOO_LARGE,
                "journal refused a record of " + bytes + " bytes",
                "keep records within " + bound + " bytes or raise maxRecordBytes");
    }

    static JournalException closed() {
        return new JournalException(
                Kind.CLOSED, "journal is closed", "what it had not acknowledged is uncertain until the next start");
    }

    static JournalException noThread(Throwable cause) {
        return new JournalException(
                Kind.NO_THREAD,
                "journal could not begin to write: no thread to write with (" + cause + ")",
                "raise the limit of processes and threads (pids.max, ulimit -u) or end some; it is tried again",
                cause);
    }

    static JournalException compactionRunning() {
        return new JournalException(
                Kind.COMPACTION_RUNNING, "journal is being compacted already", "wait for that compaction's callback");
    }

    static JournalException awaitingSnapshot() {
        return new JournalException(
                Kind.NOT_DURABLE,
                "journal refused a record: an earlier write failed and no snapshot has been written since",
                "check the disk under the root directory; the journal goes on by itself in a new file");
    }

    static JournalException snapshotFailed(IOException cause) {
        if (cause instanceof RecordLog.SnapshotFailedException) {
            return new JournalException(
                    Kind.SNAPSHOT_FAILED,
                    "journal could not be compacted: the owner's snapshot failed with " + cause.getMessage(),
                    "this is a defect of the journal's owner",
                    cause);
        }
        return new JournalException(
                Kind.IO,
                "journal could not write a snapshot: " + cause.getMessage(),
                "free space under the root directory, or check its disk",
                cause);
    }

    static JournalException during(String what, IOException cause) {
        if (cause instanceof RecordLog.NoSpaceException) {
            return new JournalException(
                    Kind.NO_SPACE,
                    "journal could not " + what + ": " + cause.getMessage(),
                    "free space under the root directory",
                    cause);
        }
        return new JournalException(
                Kind.NOT_DURABLE,
                "journal could not " + what + ": " + cause.getMessage(),
                "check the disk under the root directory; the journal goes on by itself in a new file",
                cause);
    }
}
