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
 * Ensures that a root directory has only one owner.
 *
 * <p>POSIX locks belong to the process, and closing <em>any</em> descriptor of a locked file releases them (fcntl(2)).
 * If a second owner in the same process opened the lock file, was refused and closed it, the first owner would lose
 * its lock unnoticed. So there are two files. A process first locks the guard file, only to detect owners in the same
 * Java VM: the VM itself refuses a second lock of a file. Losing the guard's POSIX lock is harmless. Only the guard's
 * holder opens the lock file in this VM, so the POSIX lock of that file, which excludes other processes, stays.
 *
 * <p>The files are never deleted: a lock on a deleted file would exclude no process.
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
     * @param owner one line, written to the lock file for the error message of others
     * @throws JournalException {@link Kind#LOCKED}; the message names the directory and, if known, the holder
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
            } catch (IOException | RuntimeException | Error e) {
                lock.close();
                throw e;
            }
        } catch (IOException | RuntimeException | Error e) {
            guard.close();
            throw e;
        }
    }

    /** Writes the owner to the lock file. Ignores a full disk, because a node must start then too, to unmount. */
    private static void name(FileChannel lock, String owner) {
        byte[] line = (owner + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            lock.write(ByteBuffer.wrap(line), 0);
            lock.truncate(line.length);
        } catch (IOException unwritable) {
            LOG.atWarn().addKeyValue("reason", unwritable.toString()).log("the root's lock does not name its holder");
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
            // The refusal itself matters; the name of the holder is optional.
            return null;
        }
    }
}
