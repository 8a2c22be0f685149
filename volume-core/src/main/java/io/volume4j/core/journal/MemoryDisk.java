package io.volume4j.core.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * The disk of an in-memory journal, which outlives the process. Not thread-safe: {@link InMemoryJournalStore} guards
 * it.
 */
final class MemoryDisk {
    /** The overhead of the file format per payload, so that sizes are those of a real disk. */
    static final long RECORD_OVERHEAD = 28;

    /** One file. The first {@code synced} records survive a power loss, and later ones may. */
    static final class MemoryFile {
        final List<JournalRecord> records = new ArrayList<>();
        final long snapshotBytes;
        int synced;
        long bytes;

        MemoryFile(List<JournalRecord> snapshot) {
            snapshot.forEach(this::add);
            synced = records.size();
            snapshotBytes = bytes;
        }

        void add(JournalRecord record) {
            records.add(record);
            bytes += RECORD_OVERHEAD + record.payload().length;
        }

        /** Keeps this number of unsynced records and loses the others. */
        void loseTail(int kept) {
            while (records.size() > synced + kept) {
                JournalRecord lost = records.remove(records.size() - 1);
                bytes -= RECORD_OVERHEAD + lost.payload().length;
            }
            synced = records.size();
        }

        int unsynced() {
            return records.size() - synced;
        }
    }

    final JournalIdentity created;
    MemoryFile file = new MemoryFile(List.of());
    long nextSequence = 1;
    long tornBytes;
    String lastBootId;
    long thisBootFrom = 1;
    /**
     * Whether a sync has failed and no snapshot has replaced the file since: the records that the next process reads
     * may be in memory only.
     */
    boolean suspect;

    MemoryDisk(JournalIdentity created) {
        this.created = created;
        this.lastBootId = created.bootId();
    }
}
