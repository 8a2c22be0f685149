package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalDirectory.JournalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** An open file of a {@link MemoryFileSystem}, read and written at explicit offsets only; or its directory, without a file. */
final class MemoryChannel extends FileChannel {
    /** What {@code fsync(2)} does. */
    interface Force {
        void run() throws IOException;
    }

    private final @Nullable JournalFile file;
    private final Force force;

    MemoryChannel(@Nullable JournalFile file, Force force) {
        this.file = file;
        this.force = force;
    }

    private JournalFile file() throws IOException {
        if (file == null) {
            throw new IOException("Is a directory");
        }
        return file;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return file().read(target, position);
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        return file().write(source, position);
    }

    @Override
    public long size() throws IOException {
        return file().size();
    }

    @Override
    public void force(boolean metaData) throws IOException {
        force.run();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long newPosition) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
