package io.volume4j.core.journal;

/** Stores a journal between two runs of its owner: in a directory, or in memory for tests and the simulator. */
public interface JournalStore {

    /**
     * Opens the journal, creates it if there is none, and reads what an earlier run left. Blocks for the disk; called
     * once at start, never on an event loop.
     *
     * @param identity who is opening; node and root must be those of the existing journal
     * @param listener called when the owner should compact
     * @throws JournalException {@link JournalException.Kind#LOCKED} if another owner has it open;
     *     {@link JournalException.Kind#NEWER_FORMAT}, {@link JournalException.Kind#UNREADABLE},
     *     {@link JournalException.Kind#WRONG_NODE} or {@link JournalException.Kind#WRONG_ROOT} if what is there must
     *     not be touched; {@link JournalException.Kind#NO_SPACE} or {@link JournalException.Kind#IO} if the disk
     *     refuses
     */
    OpenedJournal open(JournalIdentity identity, JournalListener listener);
}
