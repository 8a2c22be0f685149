package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One mount. Guarded by the machine. */
final class Mount {
    /** The kernel's value for an unmapped ID; user_namespaces(7). */
    private static final long OVERFLOW = 65_534;

    final long id;
    /** Null for the root mount. */
    final @Nullable Mount parent;
    /** The covered inode; null for the root mount. */
    final @Nullable Inode covered;

    final Path point;
    final Filesystem filesystem;
    /** The visible root at the mount point. */
    final Inode root;

    final String source;
    final boolean readOnly;
    final List<String> flags;
    List<String> superOptions;
    final Propagation propagation;
    /** The ID mapping of the mount, null for none. */
    final @Nullable IdMapping ids;
    /** Whether another process made it. */
    final boolean foreign;
    /** The number of mounts on it. */
    int children;
    /** The number of processes with open files on it. */
    int holders;
    /** Whether it is no longer in the tree. */
    boolean detached;

    Mount(
            long id,
            @Nullable Place on,
            Path point,
            Inode root,
            String source,
            boolean readOnly,
            List<String> flags,
            List<String> superOptions,
            Propagation propagation,
            @Nullable IdMapping ids,
            boolean foreign) {
        this.id = id;
        this.parent = on == null ? null : on.mount();
        this.covered = on == null ? null : on.inode();
        this.point = point;
        this.filesystem = root.filesystem;
        this.root = root;
        this.source = source;
        this.readOnly = readOnly;
        this.flags = flags;
        this.superOptions = superOptions;
        this.propagation = propagation;
        this.ids = ids;
        this.foreign = foreign;
    }

    /** Sets these options of the filesystem in place of those with the same keys. */
    void reconfigured(List<String> options) {
        List<String> changed = options.stream()
                .filter(option -> !option.equals("ro") && !option.equals("rw"))
                .toList();
        List<String> all = new ArrayList<>(superOptions);
        all.removeIf(old -> changed.stream().anyMatch(option -> key(option).equals(key(old))));
        all.addAll(changed);
        superOptions = List.copyOf(all);
    }

    private static String key(String option) {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }

    /** The group as seen through the mount. */
    long seenGroup(long onFilesystem) {
        return ids == null ? onFilesystem : seen(onFilesystem, ids.groups());
    }

    /** The user as seen through the mount. */
    long seenUser(long onFilesystem) {
        return ids == null ? onFilesystem : seen(onFilesystem, ids.users());
    }

    private static long seen(long id, List<IdMapping.Range> ranges) {
        return ranges.stream()
                .filter(range -> id >= range.inside() && id < range.inside() + range.count())
                .map(range -> range.outside() + id - range.inside())
                .findFirst()
                .orElse(OVERFLOW);
    }

    /** The group on the filesystem for a group that is set through the mount; an unmapped group is refused. */
    long givenGroup(long group, String call) {
        return ids == null ? group : given(group, ids.groups(), "group", call);
    }

    /** The user on the filesystem for a user that is set through the mount; an unmapped user is refused. */
    long givenUser(long user, String call) {
        return ids == null ? user : given(user, ids.users(), "user", call);
    }

    private static long given(long id, List<IdMapping.Range> ranges, String what, String call) {
        return ranges.stream()
                .filter(range -> id >= range.outside() && id < range.outside() + range.count())
                .map(range -> range.inside() + id - range.outside())
                .findFirst()
                .orElseThrow(() -> KernelError.EOVERFLOW.of(call, what + " " + id + " is not mapped here"));
    }

    MountEntry entry() {
        List<String> options = new ArrayList<>();
        options.add(readOnly ? "ro" : "rw");
        options.addAll(flags);
        options.add("relatime");
        if (ids != null) {
            options.add("idmapped");
        }
        return new MountEntry(
                id,
                parent == null ? 0 : parent.id,
                filesystem.majorMinor,
                root.pathInFilesystem(),
                point,
                List.copyOf(options),
                filesystem.fsType,
                source,
                superOptions);
    }
}
