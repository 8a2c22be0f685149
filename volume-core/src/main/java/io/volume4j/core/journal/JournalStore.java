package io.volume4j.core.journal;

/** Stores a journal between two runs of its owner: in a directory, or in memory for tests and the simulator. */
public interface JournalStore {

    /**
     * Opens the journal, creates it if there is none, and reads the records of an earlier run. Blocks for the disk.
     * Call it once at the start, never on an event loop.
     *
     * @param identity the new owner; node and root must be those of the existing journal
     * @param listener called when the owner should compact
     * @throws JournalException {@link JournalException.Kind#LOCKED} if another owner has it open;
     *     {@link JournalException.Kind#NEWER_FORMAT}, {@link JournalException.Kind#UNREADABLE},
     *     {@link JournalException.Kind#WRONG_NODE} or {@link JournalException.Kind#WRONG_ROOT} if the existing files
     *     must not be changed; {@link JournalException.Kind#NO_SPACE} or {@link JournalException.Kind#IO} if the disk
     *     refuses
     */
    OpenedJournal open(JournalIdentity identity, JournalListener listener);
}
