package io.volume4j.core.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/**
 * A file system of one flat directory, whose files are those of a {@link MemoryDirectory}: what {@code java.nio.file} forces
 * survives a power loss there, and the rest may not. It lets {@link DiskDirectory} itself lose power.
 */
final class MemoryFileSystem extends FileSystem {
    /** Deliberate bugs of code that must force something to the disk. */
    enum Bug {
        NONE,
        FORCES_NO_FILE,
        FORCES_NO_DIRECTORY
    }

    private final MemoryProvider provider;

    private MemoryFileSystem(MemoryDirectory directory, Bug bug) {
        provider = new MemoryProvider(directory, bug);
    }

    /** The real directory of a journal, on a disk in memory. */
    static JournalDirectory journalOn(MemoryDirectory directory, Bug bug) {
        MemoryFileSystem files = new MemoryFileSystem(directory, bug);
        return new Unlocked(new DiskDirectory(new MemoryPath(files, "")), directory);
    }

    /**
     * The locks of a machine are no part of what a power loss leaves, and {@link RootLock} has tests of its own: here the lock is
     * the one in memory, which goes with its process.
     */
    private record Unlocked(JournalDirectory files, MemoryDirectory locks) implements JournalDirectory {
        @Override
        public Closeable lock(String owner) throws IOException {
            return locks.lock(owner);
        }

        @Override
        public String describe(String name) {
            return files.describe(name);
        }

        @Override
        public boolean exists(String name) throws IOException {
            return files.exists(name);
        }

        @Override
        public JournalFile open(String name) throws IOException {
            return files.open(name);
        }

        @Override
        public JournalFile create(String name) throws IOException {
            return files.create(name);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            files.rename(from, to);
        }

        @Override
        public void deleteIfExists(String name) throws IOException {
            files.deleteIfExists(name);
        }

        @Override
        public void sync() throws IOException {
            files.sync();
        }
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        return new MemoryPath(this, first);
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException();
    }
}
