package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.RawName;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves paths below a root by descriptors, without following links. It uses one call of openat2(2), or without
 * openat2 one call for each name. In both cases a process that can rename or link below the root cannot redirect the
 * library, because the library uses the descriptor that it checked. Thread-safe.
 */
public final class SafePaths {
    private static final int STRICT =
            Kernel.RESOLVE_BENEATH | Kernel.RESOLVE_NO_SYMLINKS | Kernel.RESOLVE_NO_MAGICLINKS;

    private final Kernel kernel;

    public SafePaths(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Whether a path may cross mounts. */
    public enum Reach {
        /** Crosses mounts on the way, and opens the mount at the end. */
        ACROSS_MOUNTS,
        /** All names must be on the mount of the start; otherwise {@code EXDEV}. */
        SAME_MOUNT
    }

    /** The root itself. Links above it are the owner's choice. */
    public Descriptor root(Path root) {
        return kernel.open(root, Kernel.O_PATH | kernel.architecture().openDirectory);
    }

    /** Opens the relative path. */
    public Descriptor open(Descriptor from, Path relative, int flags, Reach reach) {
        try {
            if (kernel.features().openat2()) {
                int resolve = reach == Reach.SAME_MOUNT ? STRICT | Kernel.RESOLVE_NO_XDEV : STRICT;
                return kernel.openBelow(from, relative, flags, resolve);
            }
            return walk(from, relative, flags, reach);
        } catch (SyscallException e) {
            throw e.of("open " + relative + " below " + name(from));
        }
    }

    /** Opens a directory in another one, on the same mount, for reading. */
    Descriptor enter(Descriptor directory, RawName name) {
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        if (kernel.features().openat2()) {
            return kernel.openBelow(directory, name, flags, STRICT | Kernel.RESOLVE_NO_XDEV);
        }
        return onSameMount(directory, kernel.openAt(directory, name, flags, 0), name);
    }

    /** Opens one name on the directory's own mount. Opens a link itself, not its target. */
    Descriptor openEvenLink(Descriptor directory, Object name) {
        if (kernel.features().openat2()) {
            int flags = Kernel.O_PATH | kernel.architecture().openNoFollow;
            return kernel.openBelow(directory, name, flags, STRICT | Kernel.RESOLVE_NO_XDEV);
        }
        return onSameMount(directory, kernel.openAt(directory, name, Kernel.O_PATH, 0), name);
    }

    private Descriptor onSameMount(Descriptor directory, Descriptor found, Object name) {
        if (mountId(found) == mountId(directory)) {
            return found;
        }
        found.close();
        throw new SyscallException(Errno.EXDEV.number(), "openat " + name);
    }

    /** The directory that contains the last name of the relative path. */
    public Descriptor parent(Descriptor root, Path relative, Reach reach) {
        Path parent = relative.getParent();
        return open(root, parent == null ? Path.of(".") : parent, Kernel.O_PATH, reach);
    }

    /** The directory that contains the last of the names, across mounts. */
    public Descriptor parent(Descriptor root, List<RawName> names) {
        Descriptor at = kernel.openAt(root, ".", Kernel.O_PATH, 0);
        try {
            for (RawName name : names.subList(0, names.size() - 1)) {
                at = step(root, at, name, Kernel.O_PATH, Reach.ACROSS_MOUNTS);
            }
            return at;
        } catch (SyscallException | VolumeException e) {
            at.close();
            throw e;
        }
    }

    /** The directory that contains the last name of the path, across mounts. */
    public Descriptor parent(RootedPath path) {
        Path parent = path.absolute().getParent();
        Descriptor found = parent == null ? null : withoutLinks(parent);
        if (found != null) {
            return found;
        }
        try (Descriptor root = root(path.root())) {
            return parent(root, path.relative(), Reach.ACROSS_MOUNTS);
        }
    }

    /** Opens the path, across mounts. */
    public Descriptor open(RootedPath path) {
        Descriptor found = withoutLinks(path.absolute());
        if (found != null) {
            return found;
        }
        try (Descriptor root = root(path.root())) {
            return open(root, path.relative(), Kernel.O_PATH, Reach.ACROSS_MOUNTS);
        }
    }

    /**
     * Opens a path without links in one call: without links and without {@code ..}, it cannot leave the root. Null if
     * the path contains a link. The caller then resolves the path from the root: it follows a link above the root, and
     * refuses one below it.
     */
    private @Nullable Descriptor withoutLinks(Path whole) {
        if (kernel.features().openat2()) {
            try {
                return kernel.openWithoutLinks(whole, Kernel.O_PATH);
            } catch (SyscallException e) {
                if (!e.is(Errno.ELOOP)) {
                    throw e;
                }
            }
        }
        return null;
    }

    /** The id, as in mountinfo, of the mount on which the file was found. */
    public long mountId(Descriptor file) {
        long id = kernel.features().mountIds() ? kernel.facts(file).mountId() : -1;
        return id >= 0 ? id : mountIdFromProc(file);
    }

    /** The present path of the file as the kernel knows it: without links, and as in the mount table. */
    public Path canonical(Descriptor file) {
        try {
            return Files.readSymbolicLink(Path.of(file.magicLink()));
        } catch (IOException e) {
            throw VolumeException.transientFailure("readlink " + file.magicLink() + ": " + e.getMessage());
        }
    }

    private Descriptor walk(Descriptor from, Path relative, int flags, Reach reach) {
        Descriptor at = from;
        try {
            int names = relative.getNameCount();
            for (int i = 0; i < names - 1; i++) {
                at = step(from, at, relative.getName(i).toString(), Kernel.O_PATH, reach);
            }
            Descriptor end = step(from, at, relative.getName(names - 1).toString(), flags, reach);
            at = from;
            return end;
        } finally {
            if (at != from) {
                at.close();
            }
        }
    }

    private Descriptor step(Descriptor from, Descriptor at, Object name, int flags, Reach reach) {
        Descriptor next = kernel.openAt(at, name, flags, 0);
        @Nullable SyscallException refusal = null;
        // With O_PATH, the call opens a link itself instead of refusing it.
        if (kernel.facts(next).type() == FileStatus.Type.LINK) {
            refusal = new SyscallException(Errno.ELOOP.number(), "openat " + name);
        } else if (reach == Reach.SAME_MOUNT && mountId(next) != mountId(from)) {
            refusal = new SyscallException(Errno.EXDEV.number(), "openat " + name);
        }
        if (refusal != null) {
            next.close();
            throw refusal;
        }
        if (at != from) {
            at.close();
        }
        return next;
    }

    private static long mountIdFromProc(Descriptor file) {
        Path info = Path.of("/proc/self/fdinfo", Integer.toString(file.number()));
        try {
            for (String line : Files.readAllLines(info)) {
                if (line.startsWith("mnt_id:")) {
                    return Long.parseLong(line.substring("mnt_id:".length()).trim());
                }
            }
            throw VolumeException.finalFailure(info + " names no mount id: this kernel is older than 3.15");
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot read " + info + ": " + e.getMessage());
        }
    }

    private String name(Descriptor file) {
        try {
            return canonical(file).toString();
        } catch (VolumeException e) {
            return "its root";
        }
    }
}
