package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

import io.volume4j.core.journal.RecordLog.SnapshotFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.random.RandomGenerator;

/** Writes a complete journal file under the temporary name. Another step renames it. */
final class SnapshotWriter {
    private final JournalDirectory directory;
    private final JournalIdentity identity;
    private final JournalOptions options;
    private final RandomGenerator random;

    SnapshotWriter(
            JournalDirectory directory, JournalIdentity identity, JournalOptions options, RandomGenerator random) {
        this.directory = directory;
        this.identity = identity;
        this.options = options;
        this.random = random;
    }

    /** A durable file that contains only a snapshot, and the number of the last record. */
    record Prepared(LogFile file, long lastSequence) {}

    /**
     * @param buffer for encoding; empty before and after
     * @param reserveRequired whether a file without the whole reserve is useless
     */
    Prepared write(Iterable<JournalEntry> snapshot, long firstSequence, ByteBuffer buffer, boolean reserveRequired)
            throws IOException {
        LogFile file = new LogFile(directory.create(FileLog.NEW), random.nextLong(), JournalFormat.RECORDS_START, 0, 0);
        try {
            long next = firstSequence;
            Iterator<JournalEntry> entries = iterator(snapshot);
            while (hasNext(entries)) {
                put(file, buffer, next++, next(entries));
            }
            flush(file, buffer);
            file.endSnapshot();
            allocateReserve(file, reserveRequired);
            file.writeHeader(new JournalHeader(identity, file.salt(), firstSequence, next - firstSequence));
            if (options.durability() == Durability.SYNCED) {
                file.sync();
            }
            return new Prepared(file, next - 1);
        } catch (IOException | RuntimeException e) {
            buffer.clear();
            discard(file, e);
            throw e;
        }
    }

    private void put(LogFile file, ByteBuffer buffer, long sequence, JournalEntry entry) throws IOException {
        int bytes = JournalFormat.OVERHEAD + entry.payload().length;
        if (entry.payload().length > JournalOptions.RECORD_BYTES_LIMIT) {
            throw new SnapshotFailedException(new IllegalArgumentException("a record of " + bytes + " bytes"));
        }
        if (bytes > buffer.remaining()) {
            flush(file, buffer);
        }
        if (file.tail() + buffer.position() + bytes > options.maxJournalBytes()) {
            throw new IOException("the snapshot exceeds maxJournalBytes " + options.maxJournalBytes());
        }
        if (bytes <= buffer.remaining()) {
            encode(buffer, file, sequence, entry);
        } else {
            ByteBuffer large = ByteBuffer.allocate(bytes);
            encode(large, file, sequence, entry);
            file.append(large.flip());
        }
    }

    private static void encode(ByteBuffer target, LogFile file, long sequence, JournalEntry entry) {
        JournalFormat.putRecord(target, file.salt(), sequence, (byte) entry.type(), entry.payload());
    }

    private static void flush(LogFile file, ByteBuffer buffer) throws IOException {
        file.append(buffer.flip());
        buffer.clear();
    }

    private void allocateReserve(LogFile file, boolean required) throws IOException {
        try {
            file.allocate(file.tail() + options.reserveBytes());
        } catch (IOException e) {
            if (required) {
                throw e;
            }
        }
    }

    private void discard(LogFile file, Exception why) {
        try {
            file.close();
            directory.deleteIfExists(FileLog.NEW);
        } catch (IOException e) {
            // The next try, or the next start, removes the file.
            why.addSuppressed(e);
        }
    }

    // The owner's iterator may fail in any of its three methods. Such a failure must not look like a failure of the
    // disk.

    private static Iterator<JournalEntry> iterator(Iterable<JournalEntry> snapshot) throws SnapshotFailedException {
        try {
            return snapshot.iterator();
        } catch (RuntimeException e) {
            throw new SnapshotFailedException(e);
        }
    }

    private static boolean hasNext(Iterator<JournalEntry> entries) throws SnapshotFailedException {
        try {
            return entries.hasNext();
        } catch (RuntimeException e) {
            throw new SnapshotFailedException(e);
        }
    }

    private static JournalEntry next(Iterator<JournalEntry> entries) throws SnapshotFailedException {
        try {
            return requireNonNull(entries.next(), "an entry of the snapshot");
        } catch (RuntimeException e) {
            throw new SnapshotFailedException(e);
        }
    }
}
