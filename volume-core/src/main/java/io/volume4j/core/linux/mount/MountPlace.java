package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The target of a mount. A free target is held by its descriptor. If there is a mount already, this class neither
 * opens nor queries it, so that the mount of a dead server does not block the caller.
 */
final class MountPlace implements AutoCloseable {
    private final RootedPath target;
    private final @Nullable Descriptor free;
    private final @Nullable Path occupied;

    private MountPlace(RootedPath target, @Nullable Descriptor free, @Nullable Path occupied) {
        this.target = target;
        this.free = free;
        this.occupied = occupied;
    }

    /** Resolves the target, which must exist. */
    static MountPlace open(Kernel kernel, SafePaths paths, RootedPath target) {
        Path relative = target.relative();
        try (Descriptor root = paths.root(target.root())) {
            if (kernel.features().openat2()) {
                // Usually there is no mount between the root and the target; then one call resolves it and proves it
                // free.
                Descriptor free = openFree(paths, root, relative);
                if (free != null) {
                    return new MountPlace(target, free, null);
                }
            }
            try (Descriptor parent = paths.parent(root, relative, Reach.ACROSS_MOUNTS)) {
                Descriptor free = openFree(paths, parent, relative.getFileName());
                return free != null
                        ? new MountPlace(target, free, null)
                        : new MountPlace(target, null, paths.canonical(root).resolve(relative));
            }
        }
    }

    private static @Nullable Descriptor openFree(SafePaths paths, Descriptor from, Path relative) {
        try {
            return paths.open(from, relative, Kernel.O_PATH, Reach.SAME_MOUNT);
        } catch (SyscallException e) {
            if (e.is(Errno.EXDEV)) {
                return null;
            }
            throw e;
        }
    }

    boolean isFree() {
        return free != null;
    }

    /** The target without a mount. Only if {@link #isFree}. */
    Descriptor descriptor() {
        return Objects.requireNonNull(free, "something is mounted there");
    }

    /** The path of the existing mount in the mount table. Only if not {@link #isFree}. */
    Path occupied() {
        return Objects.requireNonNull(occupied, "nothing is mounted there");
    }

    @Override
    public void close() {
        if (free != null) {
            free.close();
        }
    }

    @Override
    public String toString() {
        return target.toString();
    }
}
