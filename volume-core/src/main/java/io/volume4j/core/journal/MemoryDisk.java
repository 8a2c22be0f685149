package io.volume4j.core.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * What an in-memory journal leaves behind when its process dies. Not thread-safe: {@link InMemoryJournalStore} guards it.
 */
final class MemoryDisk {
    /** What the file format adds to a payload; kept so that sizes behave as on a real disk. */
    static final long RECORD_OVERHEAD = 28;

    /** One file. The first {@code synced} records survive a power loss, those behind them may. */
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

        /** Keeps so many of the unsynced records and loses the others. */
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
    /** A sync has failed and no snapshot has replaced the file since: what a successor reads may be in memory only. */
    boolean suspect;

    MemoryDisk(JournalIdentity created) {
        this.created = created;
        this.lastBootId = created.bootId();
    }
}
