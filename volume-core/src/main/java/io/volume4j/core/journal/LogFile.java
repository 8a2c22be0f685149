package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalDirectory.JournalFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One file of the journal while it is written: records up to {@code tail}, then zeros that reserve space for more. The
 * zeros are really written, because a hole would need its space only when the disk may be full. Not thread-safe.
 */
final class LogFile implements Closeable {
    private static final int ZEROS = 64 << 10;

    private final JournalFile file;
    private final long salt;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
    private long snapshotEnd;
    private long tail;
    private long allocated;

    LogFile(JournalFile file, long salt, long tail, long allocated, long snapshotEnd) {
        this.file = file;
        this.salt = salt;
        this.tail = tail;
        this.allocated = allocated;
        this.snapshotEnd = snapshotEnd;
    }

    long salt() {
        return salt;
    }

    /** Offset after the last record. */
    long tail() {
        return tail;
    }

    /** Offset up to which the file has allocated space. */
    long allocated() {
        return allocated;
    }

    long snapshotEnd() {
        return snapshotEnd;
    }

    /** Marks everything written so far as the snapshot. */
    void endSnapshot() {
        snapshotEnd = tail;
    }

    /** Writes after the last record. */
    void append(ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        write(bytes, tail);
        tail += count;
        allocated = Math.max(allocated, tail);
    }

    /** Allocates up to an offset. After an exception, the file keeps the space that was allocated. */
    void allocate(long target) throws IOException {
        while (allocated < target) {
            ByteBuffer next = zeros.duplicate().limit((int) Math.min(ZEROS, target - allocated));
            allocated += requireProgress(file.write(next, allocated));
        }
    }

    /** Overwrites the rest of an interrupted write between the last record and an offset. */
    void clear(long end) throws IOException {
        for (long offset = tail; offset < end; ) {
            ByteBuffer next = zeros.duplicate().limit((int) Math.min(ZEROS, end - offset));
            offset += requireProgress(file.write(next, offset));
        }
    }

    void writeHeader(JournalHeader header) throws IOException {
        for (int copy = 0; copy < JournalFormat.HEADER_COPIES; copy++) {
            write(header.encode(), (long) copy * JournalFormat.HEADER_BYTES);
        }
    }

    void sync() throws IOException {
        file.sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void write(ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += requireProgress(file.write(bytes, at));
        }
    }

    private static int requireProgress(int written) throws IOException {
        if (written <= 0) {
            throw new IOException("the file system took none of the bytes it was given");
        }
        return written;
    }
}
