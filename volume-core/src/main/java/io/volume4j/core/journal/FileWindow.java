package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalDirectory.JournalFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A window of a file in memory, which moves forward with its reader. Unreadable blocks appear as zeros and are
 * recorded: a read error must never look like the end of the file.
 */
final class FileWindow {
    private static final int CHUNK = 256 << 10;
    private static final int BLOCK = 4096;

    private final JournalFile file;
    private final long size;
    private ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
    private long start;
    private long endOfUnreadable;

    FileWindow(JournalFile file) throws IOException {
        this.file = file;
        this.size = file.size();
        buffer.limit(0);
    }

    long size() {
        return size;
    }

    /** The bytes in memory, for absolute reads at indexes from {@link #require}. */
    ByteBuffer bytes() {
        return buffer;
    }

    /** The offset after the last unreadable block so far, or zero. */
    long endOfUnreadable() {
        return endOfUnreadable;
    }

    /** The index in {@link #bytes} of an offset. At least {@code count} bytes of the file follow it in memory. */
    int require(long offset, int count) throws IOException {
        if (offset < start || offset + count > start + buffer.limit()) {
            load(offset, count);
        }
        return (int) (offset - start);
    }

    /** The offset of the next byte with this value, or the size of the file. */
    long find(byte wanted, long from) throws IOException {
        for (long offset = from; offset < size; offset = start + buffer.limit()) {
            for (int i = require(offset, 1); i < buffer.limit(); i++) {
                if (buffer.get(i) == wanted) {
                    return start + i;
                }
            }
        }
        return size;
    }

    /** The offset after the last byte that is not zero, at least {@code from}. */
    long endOfContent(long from) throws IOException {
        long end = from;
        for (long offset = from; offset < size; offset = start + buffer.limit()) {
            for (int i = require(offset, 1); i < buffer.limit(); i++) {
                if (buffer.get(i) != 0) {
                    end = start + i + 1;
                }
            }
        }
        return end;
    }

    private void load(long offset, int count) throws IOException {
        int wanted = (int) Math.min(Math.max(count, CHUNK), size - offset);
        if (wanted < count) {
            throw new IllegalArgumentException(count + " bytes at " + offset + " are beyond " + size);
        }
        if (buffer.capacity() < wanted) {
            buffer = ByteBuffer.allocate(wanted);
        }
        buffer.clear().limit(wanted);
        start = offset;
        try {
            readFully(buffer, offset);
        } catch (IOException e) {
            readBlockByBlock(offset, wanted);
        }
        buffer.position(0);
    }

    private void readBlockByBlock(long offset, int count) {
        for (int at = 0; at < count; ) {
            int next = Math.min(count, at + BLOCK - (int) ((offset + at) % BLOCK));
            ByteBuffer block = buffer.slice(at, next - at);
            try {
                readFully(block, offset + at);
            } catch (IOException e) {
                endOfUnreadable = Math.max(endOfUnreadable, offset + next);
                for (int i = 0; i < block.limit(); i++) {
                    block.put(i, (byte) 0);
                }
            }
            at = next;
        }
    }

    private void readFully(ByteBuffer target, long offset) throws IOException {
        while (target.hasRemaining()) {
            int read = file.read(target, offset + target.position());
            if (read < 0) {
                throw new EOFException("the file ended before " + size);
            }
        }
    }
}
