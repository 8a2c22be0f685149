package io.volume4j.core.linux.path;

import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.DirectoryEntries;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.PathText;
import io.volume4j.core.linux.sys.RawName;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes a directory with all contents. Each step uses a descriptor of the directory that contains the name, so no
 * link and no mount leads elsewhere. Paths may be longer than the kernel's limit, and a directory of a million files
 * is removed one buffer at a time. If a tree is nested deeper than the number of available descriptors, the deep part
 * is first moved up. Thread-safe.
 */
final class TreeRemoval {
    private static final int DEEPEST = 64;
    /** How often the removal empties a directory before it gives up: another process may still write into the tree. */
    private static final int TRIES_PER_DIRECTORY = 3;

    private static final RawName ITSELF = RawName.of(new byte[] {'.'}, 0, 1);

    private final Kernel kernel;
    private final SafePaths paths;

    TreeRemoval(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    void remove(RootedPath path, CallContext context) {
        try (Descriptor root = paths.root(path.root());
                Descriptor parent = paths.parent(root, path.relative(), Reach.SAME_MOUNT)) {
            byte[] name = PathText.bytes(path.relative().getFileName());
            Walk walk = new Walk(path, context, parent);
            walk.removeOrEnter(parent, RawName.of(name, 0, name.length - 1));
            walk.run();
        } catch (SyscallException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    /** Removes everything in the directory, and keeps the directory. */
    void removeContents(Path root, CallContext context) {
        try (Descriptor found = paths.root(root)) {
            int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
            Descriptor directory = kernel.open(found.magicLink(), flags);
            Walk walk = new Walk(root, context, null);
            walk.levels.add(new Level(directory, ITSELF));
            walk.run();
        } catch (SyscallException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    /** A directory that the walk empties. */
    private static final class Level {
        private final Descriptor directory;
        private final RawName name;
        private final Deque<RawName> rest = new ArrayDeque<>();
        private int tries;

        Level(Descriptor directory, RawName name) {
            this.directory = directory;
            this.name = name;
        }
    }

    private final class Walk {
        private final Object path;
        private final CallContext context;
        /** Contains the topmost directory. Null if that directory stays. */
        private final @Nullable Descriptor parent;

        private final List<Level> levels = new ArrayList<>();
        private final byte[] buffer = new byte[DirectoryEntries.BUFFER];
        private long moved;

        Walk(Object path, CallContext context, @Nullable Descriptor parent) {
            this.path = path;
            this.context = context;
            this.parent = parent;
        }

        void run() {
            try {
                while (!levels.isEmpty()) {
                    if (context.cancelled()) {
                        throw VolumeException.uncertain("removing " + path + " was cancelled on the way");
                    }
                    Level level = levels.get(levels.size() - 1);
                    if (level.rest.isEmpty() && !refill(level)) {
                        leave(level);
                    } else {
                        removeOrEnter(level.directory, level.rest.remove());
                    }
                }
            } finally {
                levels.forEach(level -> level.directory.close());
            }
        }

        private boolean refill(Level level) {
            kernel.rewind(level.directory);
            int length = kernel.entries(level.directory, buffer);
            // One buffer may contain only dot entries.
            while (length > 0) {
                level.rest.addAll(DirectoryEntries.names(buffer, length));
                if (!level.rest.isEmpty()) {
                    return true;
                }
                length = kernel.entries(level.directory, buffer);
            }
            return false;
        }

        private void removeOrEnter(Descriptor directory, RawName name) {
            try {
                kernel.removeFile(directory, name);
                return;
            } catch (SyscallException e) {
                if (e.is(Errno.ENOENT)) {
                    return;
                }
                if (!e.is(Errno.EISDIR)) {
                    throw refusal(name, e);
                }
            }
            try {
                if (levels.size() == DEEPEST) {
                    moveUp(directory, name);
                } else {
                    levels.add(new Level(paths.enter(directory, name), name));
                }
            } catch (SyscallException e) {
                if (!e.is(Errno.ENOENT)) {
                    throw refusal(name, e);
                }
            }
        }

        private void moveUp(Descriptor directory, RawName name) {
            Level first = levels.get(0);
            while (true) {
                String free = ".volume4j-removing-" + moved++;
                try {
                    kernel.rename(directory, name, first.directory, free);
                    return;
                } catch (SyscallException e) {
                    // The name exists: a file, or a directory of an earlier removal.
                    if (!e.is(Errno.ENOTEMPTY) && !e.is(Errno.EEXIST) && !e.is(Errno.ENOTDIR)) {
                        throw e;
                    }
                }
            }
        }

        private void leave(Level level) {
            int last = levels.size() - 1;
            @Nullable Descriptor above = last == 0 ? parent : levels.get(last - 1).directory;
            try {
                if (above != null) {
                    kernel.removeDirectory(above, level.name);
                }
            } catch (SyscallException e) {
                boolean gone = e.is(Errno.ENOENT);
                if (e.is(Errno.ENOTEMPTY) && ++level.tries < TRIES_PER_DIRECTORY) {
                    return;
                }
                if (!gone) {
                    throw refusal(level.name, e);
                }
            }
            levels.remove(last);
            level.directory.close();
        }

        private RuntimeException refusal(RawName name, SyscallException e) {
            if (e.is(Errno.EXDEV) || e.is(Errno.EBUSY)) {
                return VolumeException.of(
                                FailureKind.IN_USE, "removing " + path + ": something is mounted on " + name + " in it")
                        .withAdvice("unmount it first; what was removed until then stays removed")
                        .withCause(e);
            }
            return e.of(e.call() + " while removing " + path);
        }
    }
}
