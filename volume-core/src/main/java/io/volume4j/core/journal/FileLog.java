package io.volume4j.core.journal;

import io.volume4j.core.journal.SnapshotWriter.Prepared;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal's files in one directory. {@code journal} is the current file. {@code journal.new} is a snapshot that is
 * being written. {@code journal.suspect} means that a write of {@code journal} failed and no snapshot has replaced it
 * since.
 *
 * <p><b>Space.</b> The current file always has free space after its last record. A normal record is accepted only if
 * the whole reserve stays free after it; a teardown record may use the reserve. The space is allocated before a record
 * is accepted, so a full disk refuses records and never causes a partial group.
 *
 * <p><b>Suspicion.</b> After a failed sync, the page cache may contain records that the disk does not. A later process
 * would read them there and treat them as durable; the marker file prevents this. It need not be durable: when the
 * machine goes down, the page cache is lost too.
 */
final class FileLog implements RecordLog {
    static final String JOURNAL = "journal";
    static final String NEW = "journal.new";
    static final String SUSPECT = "journal.suspect";

    /**
     * If there is no space, a compaction must free at least this fraction of its size. Otherwise compactions would
     * never end.
     */
    static final int LEAST_GAIN = 8;

    private static final Logger LOG = LoggerFactory.getLogger(FileLog.class);

    private final JournalDirectory directory;
    private final JournalOptions options;
    private final SnapshotWriter snapshots;
    private final Closeable lock;
    private LogFile file;
    private @Nullable Prepared prepared;
    private ByteBuffer buffer;
    private long nextSequence;
    private boolean trusted = true;
    /** Space is allocated in large steps, so that the file's length changes rarely and most syncs need no metadata. */
    private final long growth;

    FileLog(
            JournalDirectory directory,
            JournalOptions options,
            SnapshotWriter snapshots,
            Closeable lock,
            LogFile file,
            long nextSequence) {
        this.directory = directory;
        this.options = options;
        this.snapshots = snapshots;
        this.lock = lock;
        this.file = file;
        this.nextSequence = nextSequence;
        this.growth = Math.max(options.reserveBytes(), JournalFormat.HEADER_BYTES);
        this.buffer = ByteBuffer.allocateDirect(options.maxGroupBytes());
    }

    @Override
    public void distrust() {
        if (!trusted) {
            return;
        }
        trusted = false;
        try {
            directory.create(SUSPECT).close();
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("file", directory.describe(SUSPECT))
                    .addKeyValue("reason", e.toString())
                    .log("could not mark the journal as suspect");
        }
    }

    @Override
    public boolean trusted() {
        return trusted;
    }

    @Override
    public long add(JournalEntry entry, AppendPriority priority) throws IOException {
        return add((byte) entry.type(), entry.payload(), priority);
    }

    /** Allocates the part of the reserve that teardown may have used, as far as there is space. */
    void refillReserve() {
        try {
            file.allocate(file.tail() + options.reserveBytes());
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("file", directory.describe(JOURNAL))
                    .addKeyValue("reason", e.toString())
                    .log("the journal's reserve is not whole");
        }
    }

    /** Records the boot of the machine to which all later records belong. */
    void addBoot(byte[] bootId) throws IOException {
        add(JournalFormat.BOOT, bootId, AppendPriority.TEARDOWN);
    }

    private long add(byte type, byte[] payload, AppendPriority priority) throws IOException {
        int bytes = JournalFormat.OVERHEAD + payload.length;
        makeRoom(bytes, priority);
        if (bytes > buffer.remaining()) {
            ByteBuffer larger = ByteBuffer.allocateDirect(buffer.position() + bytes);
            buffer = larger.put(buffer.flip());
        }
        JournalFormat.putRecord(buffer, file.salt(), nextSequence, type, payload);
        return nextSequence++;
    }

    private void makeRoom(int bytes, AppendPriority priority) throws NoSpaceException {
        long end = file.tail() + buffer.position() + bytes;
        long reserve = options.reserveBytes();
        IOException refused = null;
        if (end + reserve > file.allocated()) {
            long bound = options.maxJournalBytes() + reserve;
            try {
                file.allocate(Math.min(end + reserve + growth, bound));
            } catch (IOException e) {
                refused = e;
            }
        }
        long usable = priority == AppendPriority.TEARDOWN ? file.allocated() : file.allocated() - reserve;
        if (end > usable) {
            String why = refused == null
                    ? "it has reached maxJournalBytes " + options.maxJournalBytes()
                    : "it cannot grow: " + refused.getMessage();
            throw new NoSpaceException(directory.describe(JOURNAL) + " has no room, " + why, refused);
        }
    }

    @Override
    public void write() throws IOException {
        try {
            file.append(buffer.flip());
        } catch (IOException e) {
            distrust();
            throw e;
        } finally {
            buffer.clear();
        }
        if (buffer.capacity() > 2 * options.maxGroupBytes()) {
            buffer = ByteBuffer.allocateDirect(options.maxGroupBytes());
        }
    }

    @Override
    public void sync() throws IOException {
        try {
            file.sync();
        } catch (IOException e) {
            distrust();
            throw e;
        }
    }

    /**
     * Writes a snapshot. While the current file is trusted, a snapshot without the whole reserve is useless: the disk
     * is full, and the old file has its reserve. Without a trusted file, any durable snapshot is better than none.
     */
    @Override
    public void prepareSnapshot(Iterable<JournalEntry> snapshot) throws IOException {
        dropPrepared();
        buffer.clear();
        prepared = snapshots.write(snapshot, nextSequence, buffer, trusted);
    }

    @Override
    public long installSnapshot() throws IOException {
        Prepared next = prepared;
        if (next == null) {
            throw new IllegalStateException("no snapshot is prepared");
        }
        prepared = null;
        LogFile old = file;
        // From here on a restart may find either file. Sequence numbers of the new one must not be reused.
        file = next.file();
        nextSequence = next.lastSequence() + 1;
        closeQuietly(old);
        try {
            directory.rename(NEW, JOURNAL);
            if (options.durability() == Durability.SYNCED) {
                directory.sync();
            }
            directory.deleteIfExists(SUSPECT);
        } catch (IOException e) {
            distrust();
            throw e;
        }
        trusted = true;
        return next.lastSequence();
    }

    @Override
    public long size() {
        return file.tail();
    }

    @Override
    public boolean outgrown() {
        return behindSnapshot() > options.compactAfterBytes()
                && behindSnapshot() > options.compactAfterRatio() * snapshotBytes();
    }

    @Override
    public boolean worthCompacting() {
        return behindSnapshot() > snapshotBytes() / LEAST_GAIN;
    }

    private long snapshotBytes() {
        return file.snapshotEnd() - JournalFormat.RECORDS_START;
    }

    private long behindSnapshot() {
        return file.tail() - file.snapshotEnd();
    }

    @Override
    public void close() {
        dropPrepared();
        closeQuietly(file);
        closeQuietly(lock);
    }

    private void dropPrepared() {
        if (prepared != null) {
            closeQuietly(prepared.file());
            prepared = null;
        }
    }

    private void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("file", directory.describe(JOURNAL))
                    .addKeyValue("reason", e.toString())
                    .log("could not close a file of the journal");
        }
    }
}
