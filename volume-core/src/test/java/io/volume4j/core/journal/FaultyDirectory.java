package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A real directory whose disk can be told to be full or to fail. */
final class FaultyDirectory implements JournalDirectory {
    private final JournalDirectory real;
    boolean full;
    boolean failNextSync;
    boolean failNextSnapshot;
    boolean failNextDirectorySync;
    boolean failNextRename;
    boolean failNextDelete;
    boolean failNextWrite;
    boolean failNextUnlock;
    boolean takesNothing;
    boolean defective;
    /** Writes of files so far. */
    int writes;

    /** How often a lock was let go of. */
    int unlocks;

    private int opened;
    private int refused;

    FaultyDirectory(JournalDirectory real) {
        this.real = real;
    }

    /** Files that were opened and not closed. */
    int openFiles() {
        return opened;
    }

    @Override
    public Closeable lock(String owner) throws IOException {
        Closeable lock = real.lock(owner);
        return () -> {
            unlocks++;
            lock.close();
            if (failNextUnlock) {
                failNextUnlock = false;
                throw new IOException("Input/output error");
            }
        };
    }

    @Override
    public String describe(String name) {
        return real.describe(name);
    }

    @Override
    public boolean exists(String name) throws IOException {
        return real.exists(name);
    }

    @Override
    public JournalFile open(String name) throws IOException {
        return new FaultyFile(real.open(name), name);
    }

    @Override
    public JournalFile create(String name) throws IOException {
        return new FaultyFile(real.create(name), name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        if (failNextRename) {
            failNextRename = false;
            throw new IOException("Input/output error");
        }
        real.rename(from, to);
    }

    @Override
    public void deleteIfExists(String name) throws IOException {
        if (failNextDelete) {
            failNextDelete = false;
            throw new IOException("Input/output error");
        }
        real.deleteIfExists(name);
    }

    @Override
    public void sync() throws IOException {
        if (failNextDirectorySync) {
            failNextDirectorySync = false;
            throw new IOException("Input/output error");
        }
        real.sync();
    }

    private final class FaultyFile implements JournalFile {
        private final JournalFile file;
        private final String name;
        private boolean closed;

        FaultyFile(JournalFile file, String name) {
            this.file = file;
            this.name = name;
            opened++;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            return file.read(target, offset);
        }

        @Override
        public int write(ByteBuffer source, long offset) throws IOException {
            writes++;
            if (defective) {
                throw new IllegalStateException("a defect");
            }
            if (takesNothing) {
                assertThat(++refused).as("tries without end").isLessThan(100);
                return 0;
            }
            if (failNextWrite) {
                failNextWrite = false;
                throw new IOException("Input/output error");
            }
            if (failNextSnapshot && name.equals(FileLog.NEW)) {
                failNextSnapshot = false;
                throw new IOException("Input/output error");
            }
            if (!full) {
                return file.write(source, offset);
            }
            // What is allocated can be written; the first byte that needs a new block cannot.
            long room = file.size() - offset;
            if (room <= 0) {
                throw new IOException("No space left on device");
            }
            int count = (int) Math.min(room, source.remaining());
            file.write(source.duplicate().limit(source.position() + count), offset);
            source.position(source.position() + count);
            return count;
        }

        @Override
        public void sync() throws IOException {
            if (failNextSync) {
                failNextSync = false;
                throw new IOException("Input/output error");
            }
            file.sync();
        }

        @Override
        public void close() throws IOException {
            opened -= closed ? 0 : 1;
            closed = true;
            file.close();
        }
    }
}
