package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A journal for tests and for the simulator. The store is the disk, which outlives the journals that are opened on it.
 * Records are objects. Queues, groups, order, refusals and callbacks are those of the real journal.
 *
 * <p>Deterministic: everything runs in tasks of the given executor, first the write of a group, then its sync and the
 * callbacks, so that a simulated crash can happen between them. Thread-safe.
 */
public final class InMemoryJournalStore implements JournalStore {
    private final JournalOptions options;
    private final Executor executor;
    private final Object lock = new Object();

    // All below: guarded by lock.
    private @Nullable MemoryDisk disk;
    private @Nullable MemoryLog open;
    private @Nullable GroupCommitJournal journal;
    private boolean full;
    private long reserveLeft;
    private int failingSyncs;
    private int failingSnapshots;

    /**
     * An empty store.
     *
     * @param executor runs the steps of the journal one after another; a simulator passes its scheduler. The steps
     *     never block, so the appending thread may run them at once ({@code Runnable::run})
     */
    public InMemoryJournalStore(JournalOptions options, Executor executor) {
        this.options = options;
        this.executor = executor;
        this.reserveLeft = options.reserveBytes();
    }

    @Override
    public OpenedJournal open(JournalIdentity identity, JournalListener listener) {
        synchronized (lock) {
            if (open != null) {
                throw new JournalException(
                        Kind.LOCKED, "in-memory journal is open already", "close it, or crash() it, first");
            }
            boolean created = disk == null;
            MemoryDisk found = disk == null ? new MemoryDisk(identity) : disk;
            disk = found;
            requireSame(Kind.WRONG_NODE, "node", found.created.nodeName(), identity.nodeName());
            requireSame(Kind.WRONG_ROOT, "root", found.created.rootId(), identity.rootId());
            boolean booted = !found.lastBootId.equals(identity.bootId());
            JournalIdentity previous = new JournalIdentity(identity.nodeName(), found.lastBootId, identity.rootId());
            if (booted) {
                found.lastBootId = identity.bootId();
                found.thisBootFrom = found.nextSequence;
            }
            ReplayReport report =
                    new ReplayReport(created, found.tornBytes, List.of(), false, booted, found.thisBootFrom);
            found.tornBytes = 0;
            MemoryLog log = new MemoryLog(found);
            GroupCommitJournal opened =
                    new GroupCommitJournal(log, options, executor, listener, found.nextSequence - 1);
            open = log;
            journal = opened;
            if (!log.trusted()) {
                opened.ask(SnapshotReason.WRITE_FAILED);
            }
            return new OpenedJournal(opened, new Replayed(previous, found.file.records, report));
        }
    }

    /**
     * The process dies: its callbacks are never called. The next open finds everything written to the file; everything
     * still queued is lost.
     */
    public void crash() {
        end(Integer.MAX_VALUE, false, true);
    }

    /** The machine loses power: a random part of the unsynced records survives, and the next record may be torn. */
    public void powerLoss(RandomGenerator random) {
        int unsynced = unsyncedRecords();
        powerLoss(random.nextInt(unsynced + 1), random.nextBoolean());
    }

    /**
     * The machine loses power.
     *
     * @param kept how many of the unsynced records survive, oldest first; a larger number means all
     * @param torn whether a part of the first lost record stays in the file; the next open removes it
     */
    public void powerLoss(int kept, boolean torn) {
        end(kept, torn, false);
    }

    private void end(int kept, boolean torn, boolean pageCacheLives) {
        @Nullable GroupCommitJournal dying;
        synchronized (lock) {
            dying = journal;
            MemoryDisk left = disk;
            if (left != null) {
                left.suspect &= pageCacheLives;
                int survivors = Math.min(kept, left.file.unsynced());
                if (torn && survivors < left.file.unsynced()) {
                    JournalRecord half = left.file.records.get(left.file.synced + survivors);
                    left.tornBytes = (MemoryDisk.RECORD_OVERHEAD + half.payload().length) / 2;
                }
                left.file.loseTail(survivors);
                List<JournalRecord> records = left.file.records;
                // As on a real disk, numbers are reused after the surviving records.
                left.nextSequence = records.isEmpty()
                        ? left.thisBootFrom
                        : Math.max(
                                left.thisBootFrom,
                                records.get(records.size() - 1).sequence() + 1);
            }
            journal = null;
            open = null;
        }
        if (dying != null) {
            dying.kill();
        }
    }

    /** The number of records in the file that a power loss could remove. */
    public int unsyncedRecords() {
        synchronized (lock) {
            return disk == null ? 0 : disk.file.unsynced();
        }
    }

    /** The number of bytes in the file after the last snapshot. */
    public long bytesBehindSnapshot() {
        synchronized (lock) {
            return disk == null ? 0 : disk.file.bytes - disk.file.snapshotBytes;
        }
    }

    /** Whether a record in the file contains the text. */
    public boolean holds(String text) {
        synchronized (lock) {
            return disk != null
                    && disk.file.records.stream()
                            .anyMatch(record -> new String(record.payload(), StandardCharsets.UTF_8).contains(text));
        }
    }

    /** Makes the disk full except for the reserve, or gives it space again with the whole reserve. */
    public void setFull(boolean value) {
        synchronized (lock) {
            full = value;
            reserveLeft = options.reserveBytes();
        }
    }

    /** Makes the next {@code count} syncs fail; their records stay unsynced. */
    public void failSyncs(int count) {
        synchronized (lock) {
            failingSyncs = count;
        }
    }

    /** Makes the next {@code count} snapshots fail before they become current. */
    public void failSnapshots(int count) {
        synchronized (lock) {
            failingSnapshots = count;
        }
    }

    private static void requireSame(Kind kind, String what, String found, String wanted) {
        if (!found.equals(wanted)) {
            throw new JournalException(
                    kind,
                    "in-memory journal belongs to " + what + " " + found + ", not " + wanted,
                    "open it with the identity it was created with");
        }
    }

    /** The access of one start of the process to the disk. A crash ends it. */
    private final class MemoryLog implements RecordLog {
        private final MemoryDisk on;
        private final List<JournalRecord> group = new ArrayList<>();
        private List<JournalRecord> prepared = List.of();
        private long nextSequence;
        private boolean trusted;

        MemoryLog(MemoryDisk on) {
            this.on = on;
            this.trusted = !on.suspect;
            this.nextSequence = on.nextSequence;
        }

        @Override
        public long add(JournalEntry entry, AppendPriority priority) throws IOException {
            synchronized (lock) {
                requireAlive();
                long bytes = MemoryDisk.RECORD_OVERHEAD + entry.payload().length;
                if (full && (priority == AppendPriority.NORMAL || bytes > reserveLeft)) {
                    throw new NoSpaceException("no space left on device", null);
                }
                if (full) {
                    reserveLeft -= bytes;
                }
                group.add(new JournalRecord(nextSequence++, entry));
                return nextSequence - 1;
            }
        }

        @Override
        public void write() throws IOException {
            synchronized (lock) {
                requireAlive();
                group.forEach(on.file::add);
                group.clear();
                on.nextSequence = nextSequence;
            }
        }

        @Override
        public void sync() throws IOException {
            synchronized (lock) {
                requireAlive();
                if (failingSyncs > 0) {
                    failingSyncs--;
                    distrust();
                    throw new IOException("sync failed as scripted");
                }
                on.file.synced = on.file.records.size();
            }
        }

        @Override
        public void prepareSnapshot(Iterable<JournalEntry> snapshot) throws IOException {
            List<JournalRecord> records = new ArrayList<>();
            long sequence = nextSequence;
            try {
                for (JournalEntry entry : snapshot) {
                    records.add(new JournalRecord(sequence++, entry));
                }
            } catch (RuntimeException e) {
                throw new SnapshotFailedException(e);
            }
            synchronized (lock) {
                requireAlive();
                if (failingSnapshots > 0) {
                    failingSnapshots--;
                    throw new IOException("snapshot failed as scripted");
                }
                if (full) {
                    throw new NoSpaceException("no space left on device", null);
                }
            }
            prepared = records;
        }

        @Override
        public long installSnapshot() throws IOException {
            synchronized (lock) {
                requireAlive();
                on.thisBootFrom = nextSequence;
                on.file = new MemoryDisk.MemoryFile(prepared);
                nextSequence += prepared.size();
                on.nextSequence = nextSequence;
                prepared = List.of();
                trusted = true;
                on.suspect = false;
                return nextSequence - 1;
            }
        }

        @Override
        public void distrust() {
            synchronized (lock) {
                trusted = false;
                on.suspect |= open == this;
            }
        }

        @Override
        public boolean trusted() {
            synchronized (lock) {
                return trusted;
            }
        }

        @Override
        public long size() {
            synchronized (lock) {
                return on.file.bytes;
            }
        }

        @Override
        public boolean outgrown() {
            synchronized (lock) {
                return behindSnapshot() > options.compactAfterBytes()
                        && behindSnapshot() > options.compactAfterRatio() * on.file.snapshotBytes;
            }
        }

        @Override
        public boolean worthCompacting() {
            synchronized (lock) {
                return behindSnapshot() > on.file.snapshotBytes / FileLog.LEAST_GAIN;
            }
        }

        private long behindSnapshot() {
            return on.file.bytes - on.file.snapshotBytes;
        }

        @Override
        public void close() {
            synchronized (lock) {
                if (Objects.equals(open, this)) {
                    open = null;
                    journal = null;
                    // A clean end is no power loss: the kernel still has the written records.
                    on.file.synced = on.file.records.size();
                }
            }
        }

        private void requireAlive() throws IOException {
            if (open != this) {
                throw new IOException("the process that had this journal is dead");
            }
        }
    }
}
