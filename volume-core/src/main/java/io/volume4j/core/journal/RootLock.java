package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a root directory to one owner.
 *
 * <p>POSIX locks belong to the process, and closing <em>any</em> descriptor of a locked file gives its locks up (fcntl(2)).
 * A second owner in the same process that merely opened the lock file, was refused and closed it would thus silently unlock
 * the first. So there are two files. The guard is locked first, and only for what the Java VM itself keeps of it: a
 * second attempt in the same VM is refused there, and whatever its closing does to the guard's POSIX lock is of no
 * consequence. Only the guard's holder ever opens the lock file in this VM, so its POSIX lock, which keeps other
 * processes out, stays.
 *
 * <p>The files are never deleted: a lock on a deleted file would keep no process out.
 */
final class RootLock implements Closeable {
    static final String GUARD = "journal.guard";
    static final String LOCK = "journal.lock";
    private static final Logger LOG = LoggerFactory.getLogger(RootLock.class);
    private static final int OWNER_BYTES = 512;

    private final FileChannel guard;
    private final FileChannel lock;

    private RootLock(FileChannel guard, FileChannel lock) {
        this.guard = guard;
        this.lock = lock;
    }

    /**
     * @param owner one line, left in the lock file for those who are refused
     * @throws JournalException {@link Kind#LOCKED}, naming the directory and, if it is known, the holder
     */
    static RootLock acquire(Path root, String owner) throws IOException {
        FileChannel guard = openForLocking(root.resolve(GUARD));
        try {
            if (!tryLock(root, guard)) {
                throw heldElsewhere(root);
            }
            FileChannel lock = openForLocking(root.resolve(LOCK));
            try {
                if (!tryLock(root, lock)) {
                    throw heldElsewhere(root);
                }
                name(lock, owner);
                return new RootLock(guard, lock);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            guard.close();
            throw e;
        }
    }

    /** A full disk must not keep a node from starting, because it has to unmount then too. */
    private static void name(FileChannel lock, String owner) {
        byte[] line = (owner + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            lock.write(ByteBuffer.wrap(line), 0);
            lock.truncate(line.length);
        } catch (IOException unwritable) {
            LOG.warn("msg=\"the root's lock does not name its holder\" cause=\"{}\"", unwritable.toString());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            lock.close();
        } finally {
            guard.close();
        }
    }

    private static FileChannel openForLocking(Path path) throws IOException {
        return DiskDirectory.channel(
                path, List.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
    }

    private static boolean tryLock(Path root, FileChannel channel) throws IOException {
        try {
            // Held until the channel is closed.
            FileLock held = channel.tryLock();
            return held != null;
        } catch (OverlappingFileLockException e) {
            throw new JournalException(
                    Kind.LOCKED,
                    "root directory " + root + " is in use by another owner in this process",
                    "close that one first, or give each its own root directory",
                    e);
        }
    }

    private static JournalException heldElsewhere(Path root) {
        String holder = readHolder(root.resolve(LOCK));
        return new JournalException(
                Kind.LOCKED,
                "root directory " + root + " is in use by another process"
                        + (holder == null ? "" : " (" + holder + ")"),
                "stop that process, or give each its own root directory");
    }

    private static @Nullable String readHolder(Path path) {
        try (FileChannel channel = DiskDirectory.channel(path, List.of(StandardOpenOption.READ))) {
            ByteBuffer bytes = ByteBuffer.allocate(OWNER_BYTES);
            channel.read(bytes, 0);
            String line = StandardCharsets.UTF_8.decode(bytes.flip()).toString().strip();
            return line.isEmpty() || line.chars().anyMatch(Character::isISOControl) ? null : line;
        } catch (IOException e) {
            // The refusal itself matters; who holds the root is a courtesy.
            return null;
        }
    }
}
