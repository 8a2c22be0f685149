package io.volume4j.core.journal;

/** Receives a journal's requests to its owner. */
@FunctionalInterface
public interface JournalListener {

    /**
     * The owner should call {@link Journal#compact} with a full snapshot. Called once per need; if that compaction
     * fails, the owner tries again with its own backoff. Runs on the journal's writer, or inside
     * {@link JournalStore#open}: it must not block and must not throw.
     */
    void snapshotWanted(SnapshotReason reason);
}
