package io.volume4j.examples.agent.machine;

import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Holds a root for one agent. The library locks the root only when a node starts. That is after the agent has taken or deleted the
 * node's lease in etcd, and the agent that already runs on the root would stop the users of its volumes.
 */
public final class RootHold implements AutoCloseable {
    private static final String FILE = "agent.lock";

    private final FileChannel file;

    private RootHold(FileChannel file) {
        this.file = file;
    }

    /**
     * @param root an existing directory
     * @throws VolumeException if another agent holds the root, or the file for that cannot be written
     */
    public static RootHold of(Path root) {
        try {
            FileChannel file = FileChannel.open(
                    root.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            if (lock(file) == null) {
                file.close();
                throw VolumeException.transientFailure("another agent runs on root " + root)
                        .withAdvice("stop that agent, or give this one another --root and --name");
            }
            return new RootHold(file);
        } catch (IOException unusable) {
            throw VolumeException.transientFailure("root " + root + " cannot be locked: " + unusable)
                    .withAdvice("check that the directory is on a writable filesystem with free space")
                    .withCause(unusable);
        }
    }

    private static @Nullable FileLock lock(FileChannel file) throws IOException {
        try {
            // Held until the channel is closed.
            return file.tryLock();
        } catch (OverlappingFileLockException heldHere) {
            return null;
        }
    }

    /** The file stays: a lock on a deleted file would exclude no agent. */
    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException unclosed) {
            throw VolumeException.transientFailure("the lock of the root cannot be closed: " + unclosed)
                    .withCause(unclosed);
        }
    }
}
