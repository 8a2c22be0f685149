package io.volume4j.inmemory.mount;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Project quotas of one filesystem. As on ext4 and xfs, a limit stays in the table when its directory is removed. Guarded by the machine.
 */
final class Quotas {
    private final Filesystem filesystem;
    private final boolean enforced;
    private final Map<Inode, Quota> table = new HashMap<>();

    /** @param path of the directory when the limit was set */
    private record Quota(Path path, long bytes) {}

    /** @param enforced whether the filesystem is mounted with {@code prjquota} */
    Quotas(Filesystem filesystem, boolean enforced) {
        this.filesystem = filesystem;
        this.enforced = enforced;
    }

    boolean set(Inode directory, Path path, long bytes) {
        boolean first = !table.containsKey(directory);
        if (!enforced
                || directory.filesystem != filesystem
                || (first && (!directory.children.isEmpty() || limited(directory) != null))) {
            return false;
        }
        table.put(directory, new Quota(path, bytes));
        return true;
    }

    void remove(Inode directory) {
        table.remove(directory);
    }

    Collection<Path> paths() {
        return table.values().stream().map(Quota::path).toList();
    }

    /** Refuses a write to a directory or file whose quota is full. */
    void requireRoom(Inode place, long more, String call) {
        Inode directory = limited(place);
        Quota quota = directory == null ? null : table.get(directory);
        if (directory != null && quota != null && Filesystem.usedBytes(directory) + more > quota.bytes()) {
            throw KernelError.EDQUOT.of(call);
        }
    }

    /** The directory whose quota includes the place. */
    private @Nullable Inode limited(Inode place) {
        Inode each = place;
        while (each != null && !table.containsKey(each)) {
            each = each.parent;
        }
        return each;
    }
}
