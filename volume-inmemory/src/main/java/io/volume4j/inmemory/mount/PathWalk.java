package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Resolves paths, name by name and mount by mount; path_resolution(7), openat2(2). Guarded by the machine. */
final class PathWalk {
    private static final int MOST_LINKS = 40;

    private final MountTree mounts;
    private final Mount first;

    PathWalk(MountTree mounts, Mount first) {
        this.mounts = mounts;
        this.first = first;
    }

    /** The limit of a path. */
    enum Reach {
        ACROSS_MOUNTS,
        /** {@code EXDEV} for a name on another mount than the root. */
        SAME_MOUNT
    }

    /** The target of an absolute path; follows links, and mounts at its end. */
    Place follow(Path path, String call) {
        return present(tryFollow(path, call, 0), call);
    }

    /** {@link #follow}, null if it does not exist. */
    @Nullable
    Place tryFollow(Path path, String call) {
        return tryFollow(path, call, 0);
    }

    private @Nullable Place tryFollow(Path path, String call, int links) {
        if (links > MOST_LINKS) {
            throw KernelError.ELOOP.of(call);
        }
        Place at = mounts.topmost(new Place(first, first.root));
        for (int i = 0; i < path.getNameCount(); i++) {
            Inode child = child(at.inode(), path.getName(i).toString(), call);
            if (child == null) {
                return null;
            }
            if (child.type == FileStatus.Type.LINK) {
                Path target = canonical(at).resolve(child.linkTarget).normalize();
                Path whole = i + 1 == path.getNameCount()
                        ? target
                        : target.resolve(path.subpath(i + 1, path.getNameCount()));
                return tryFollow(whole, call, links + 1);
            }
            at = mounts.topmost(new Place(at.mount(), child));
        }
        return at;
    }

    /** The target of the path; follows no link below its root, but mounts at its end. */
    Place below(RootedPath path, Reach reach, String call) {
        return present(tryBelow(path, reach, call), call);
    }

    /** {@link #below}, null if it does not exist. */
    @Nullable
    Place tryBelow(RootedPath path, Reach reach, String call) {
        Place parent = tryParentOf(path, reach, call);
        return parent == null ? null : tryStep(parent, name(path), reach, call);
    }

    /** The parent directory of the path's last name; follows no link below the root. */
    Place parentOf(RootedPath path, Reach reach, String call) {
        return present(tryParentOf(path, reach, call), call);
    }

    /** {@link #parentOf}, null if it does not exist. */
    @Nullable
    Place tryParentOf(RootedPath path, Reach reach, String call) {
        Place at = tryFollow(path.root(), call, 0);
        Path relative = path.relative();
        for (int i = 0; at != null && i < relative.getNameCount() - 1; i++) {
            at = tryStep(at, relative.getName(i).toString(), reach, call);
        }
        if (at != null && !at.inode().isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        return at;
    }

    /** Resolves one name. */
    Place step(Place from, String name, Reach reach, String call) {
        return present(tryStep(from, name, reach, call), call);
    }

    private @Nullable Place tryStep(Place from, String name, Reach reach, String call) {
        Inode child = child(from.inode(), name, call);
        if (child == null) {
            return null;
        }
        if (child.type == FileStatus.Type.LINK) {
            throw KernelError.ELOOP.of(call);
        }
        Place found = mounts.topmost(new Place(from.mount(), child));
        if (reach == Reach.SAME_MOUNT && found.mount() != from.mount()) {
            throw KernelError.EXDEV.of(call);
        }
        return found;
    }

    /** The path of a place in the mount table. */
    static Path canonical(Place place) {
        Deque<String> names = new ArrayDeque<>();
        for (Inode each = place.inode(); each != null && each != place.mount().root; each = each.parent) {
            names.addFirst(each.name);
        }
        Path path = place.mount().point;
        for (String name : names) {
            path = path.resolve(name);
        }
        return path;
    }

    static String name(RootedPath path) {
        return String.valueOf(path.relative().getFileName());
    }

    private static @Nullable Inode child(Inode directory, String name, String call) {
        if (!directory.isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        return directory.children.get(name);
    }

    private static Place present(@Nullable Place found, String call) {
        if (found == null) {
            throw KernelError.ENOENT.of(call);
        }
        return found;
    }
}
