package io.volume4j.core.linux.path;

import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import org.jspecify.annotations.Nullable;

/** Renames directories below one root, on the root's own mount. Thread-safe. */
final class DirectoryRename {
    private final Kernel kernel;
    private final SafePaths paths;

    DirectoryRename(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    /** Returns whether there was a directory to rename. */
    boolean rename(RootedPath from, RootedPath to) {
        if (!from.root().equals(to.root())) {
            throw new IllegalArgumentException("not below one root: " + from + " and " + to);
        }
        String call = "rename " + from + " to " + to;
        try (Descriptor root = paths.root(from.root())) {
            Descriptor found = parentOf(root, from);
            if (found == null) {
                return false;
            }
            try (Descriptor parent = found) {
                String name = from.relative().getFileName().toString();
                if (isAbsent(parent, name, call)) {
                    return false;
                }
                move(root, parent, name, to, call);
                return true;
            }
        }
    }

    private @Nullable Descriptor parentOf(Descriptor root, RootedPath path) {
        try {
            return paths.parent(root, path.relative(), Reach.SAME_MOUNT);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return null;
            }
            throw e;
        }
    }

    private boolean isAbsent(Descriptor parent, String name, String call) {
        try {
            if (kernel.factsAt(parent, name).type() != FileStatus.Type.DIRECTORY) {
                throw VolumeException.finalFailure(call + ": it is no directory");
            }
            return false;
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return true;
            }
            throw e;
        }
    }

    private void move(Descriptor root, Descriptor oldParent, String oldName, RootedPath to, String call) {
        try (Descriptor newParent = paths.parent(root, to.relative(), Reach.SAME_MOUNT)) {
            String newName = to.relative().getFileName().toString();
            try {
                kernel.renameToFree(oldParent, oldName, newParent, newName);
            } catch (SyscallException e) {
                if (!e.is(Errno.EINVAL)) {
                    throw e;
                }
                refuseIfTaken(newParent, newName, call);
                kernel.rename(oldParent, oldName, newParent, newName);
            }
            sync(oldParent);
            sync(newParent);
        } catch (SyscallException e) {
            if (e.is(Errno.EEXIST)) {
                throw taken(call);
            }
            throw e.of(call);
        }
    }

    /** Fails if the name exists: rename(2) would replace an empty directory. */
    private void refuseIfTaken(Descriptor parent, String name, String call) {
        try {
            kernel.factsAt(parent, name);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return;
            }
            throw e;
        }
        throw taken(call);
    }

    private static VolumeException taken(String call) {
        return VolumeException.finalFailure(call + ": there is something of that name already")
                .withAdvice("look whether it may go, and move it away by hand");
    }

    /** Opens the directory for reading first: a path-only descriptor cannot be synced. */
    private void sync(Descriptor directory) {
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        try (Descriptor open = kernel.open(directory.magicLink(), flags)) {
            kernel.sync(open);
        }
    }
}
