package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalDirectory.JournalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.SplittableRandom;

/** A file in memory, to be read. Blocks can be unreadable, and its end can be nearer than its size says. */
final class BytesFile implements JournalFile {
    private static final int BLOCK = 4096;

    final byte[] content;
    final BitSet unreadable = new BitSet();
    int cutAt = Integer.MAX_VALUE;
    int reads;

    BytesFile(int size) {
        this(new byte[size]);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < size; i++) {
            content[i] = (byte) (1 + random.nextInt(255));
        }
    }

    BytesFile(byte[] content) {
        this.content = content;
    }

    @Override
    public long size() throws IOException {
        if (cutAt < 0) {
            throw new IOException("Input/output error");
        }
        return content.length;
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
        reads++;
        int end = Math.min(content.length, cutAt);
        if (offset >= end) {
            return -1;
        }
        int count = (int) Math.min(target.remaining(), end - offset);
        for (long block = offset / BLOCK; block * BLOCK < offset + count; block++) {
            if (unreadable.get((int) block)) {
                throw new IOException("Input/output error");
            }
        }
        target.put(content, (int) offset, count);
        return count;
    }

    @Override
    public int write(ByteBuffer source, long offset) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void sync() {}

    @Override
    public void close() {}
}
