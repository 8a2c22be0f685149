package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.MemoryFileSystem.Bug;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;

/** What a {@link DiskDirectory} asks of its machine, done to a {@link MemoryDirectory}. */
final class MemoryProvider extends FileSystemProvider {
    private final MemoryDirectory directory;
    private final Bug bug;

    MemoryProvider(MemoryDirectory directory, Bug bug) {
        this.directory = directory;
        this.bug = bug;
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (name(path).isEmpty()) {
            return new MemoryChannel(null, () -> {
                if (bug != Bug.FORCES_NO_DIRECTORY) {
                    directory.sync();
                }
            });
        }
        assertThat(options).as("a link is not followed").anyMatch(LinkOption.NOFOLLOW_LINKS::equals);
        JournalDirectory.JournalFile file = options.contains(StandardOpenOption.CREATE_NEW)
                ? directory.create(name(path))
                : directory.open(name(path));
        return new MemoryChannel(file, () -> {
            if (bug != Bug.FORCES_NO_FILE) {
                file.sync();
            }
        });
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        assertThat(options).contains(StandardCopyOption.ATOMIC_MOVE);
        directory.rename(name(source), name(target));
    }

    @Override
    public void delete(Path path) throws IOException {
        if (!directory.exists(name(path))) {
            throw new NoSuchFileException(name(path));
        }
        directory.deleteIfExists(name(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        if (!directory.exists(name(path))) {
            throw new NoSuchFileException(name(path));
        }
    }

    @Override
    @SuppressWarnings("NullAway") // Files.exists() does not look at the answer
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        checkAccess(path);
        return type.cast(null);
    }

    private static String name(Path path) {
        return ((MemoryPath) path).name();
    }

    @Override
    public String getScheme() {
        return "memory";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSameFile(Path path, Path other) {
        return path.equals(other);
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw new UnsupportedOperationException();
    }
}
