package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One filesystem, mounted or not. Guarded by the machine. */
final class Filesystem {
    final String fsType;
    final String majorMinor;
    final Inode root;
    /** Its size, 0 for no limit. */
    long bytes;
    /** The number of its mounts in the tree. */
    int mounts;
    /** Uses without a mount in the tree: open files on a mount that was unmounted lazily. */
    int hiddenUses;

    private long inodes;

    Filesystem(String fsType, String majorMinor, long bytes) {
        this.fsType = fsType;
        this.majorMinor = majorMinor;
        this.bytes = bytes;
        this.root = make(FileStatus.Type.DIRECTORY, 0755, "", null);
    }

    Inode make(FileStatus.Type type, int mode, String linkTarget, @Nullable Disk disk) {
        inodes++;
        return new Inode(this, inodes, type, mode, linkTarget, disk);
    }

    /** Another filesystem without mounts, with the same files. */
    Filesystem copy(Supplier<String> numbers) {
        Filesystem copy = new Filesystem(fsType, numbers.get(), bytes);
        copyChildren(root, copy, copy.root, numbers);
        return copy;
    }

    private static void copyChildren(Inode from, Filesystem copy, Inode to, Supplier<String> numbers) {
        from.children.forEach((name, child) -> {
            Inode made = copy.make(child.type, child.mode, child.linkTarget, child.disk);
            made.user = child.user;
            made.group = child.group;
            made.data.becomeCopyOf(child.data, numbers);
            to.put(name, made);
            copyChildren(child, copy, made, numbers);
        });
    }

    boolean inUse() {
        return mounts > 0 || hiddenUses > 0;
    }

    /** Clears the uses when the machine goes down. */
    void forgetUses() {
        mounts = 0;
        hiddenUses = 0;
    }

    long usedBytes() {
        return usedBytes(root);
    }

    static long usedBytes(Inode top) {
        long[] sum = {0};
        forEach(top, inode -> sum[0] += inode.data.allocated());
        return sum[0];
    }

    long usedInodes() {
        long[] count = {0};
        forEach(root, inode -> count[0]++);
        return count[0];
    }

    /** Writes all its content to its disk, also that of filesystems inside its files. */
    void sync() {
        forEach(root, inode -> inode.data.sync());
        forEachInside(Filesystem::sync);
    }

    /** Drops everything that was not synced, also in filesystems inside its files. */
    void losePower() {
        forEach(root, inode -> inode.data.losePower());
        forEachInside(Filesystem::losePower);
    }

    /** Calls the action for every filesystem inside a file that served as a disk. */
    void forEachInside(Consumer<Filesystem> action) {
        forEach(root, inode -> {
            DiskImage image = inode.data.imageIfUsed();
            Filesystem inside = image == null ? null : image.filesystem();
            if (inside != null) {
                action.accept(inside);
            }
        });
    }

    private static void forEach(Inode inode, Consumer<Inode> action) {
        action.accept(inode);
        inode.children.values().forEach(child -> forEach(child, action));
    }
}
