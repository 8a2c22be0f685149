package io.volume4j.core.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A directory of the machine. */
final class DiskDirectory implements JournalDirectory {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path root;

    DiskDirectory(Path root) {
        this.root = root;
    }

    @Override
    public Closeable lock(String owner) throws IOException {
        return RootLock.acquire(root, owner);
    }

    @Override
    public String describe(String name) {
        return root.resolve(name).toString();
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(root.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public JournalFile open(String name) throws IOException {
        return new DiskFile(channel(root.resolve(name), List.of(StandardOpenOption.READ, StandardOpenOption.WRITE)));
    }

    @Override
    public JournalFile create(String name) throws IOException {
        deleteIfExists(name);
        return new DiskFile(channel(
                root.resolve(name),
                List.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                root.resolve(from),
                root.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void deleteIfExists(String name) throws IOException {
        Files.deleteIfExists(root.resolve(name));
    }

    @Override
    public void sync() throws IOException {
        try (FileChannel directory = FileChannel.open(root, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Opens with mode 0600 if it creates the file. Refuses a link in the last component. */
    static FileChannel channel(Path path, List<OpenOption> how) throws IOException {
        Set<OpenOption> options = new LinkedHashSet<>(how);
        options.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(path, options, OWNER_ONLY);
    }

    private record DiskFile(FileChannel channel) implements JournalFile {

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            return channel.read(target, offset);
        }

        @Override
        public int write(ByteBuffer source, long offset) throws IOException {
            return channel.write(source, offset);
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
