package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A directory, file, link or device node of one filesystem. Guarded by the machine. */
final class Inode {
    final Filesystem filesystem;
    final long number;
    final FileStatus.Type type;
    int mode;
    long user;
    long group;
    /** For a directory, sorted. */
    final TreeMap<String, Inode> children = new TreeMap<>();

    final FileData data = new FileData();
    /** For a link, {@code ""} for other types. */
    final String linkTarget;
    /** For the node of a block device. */
    final @Nullable Disk disk;

    @Nullable
    Inode parent;

    String name = "";
    boolean deleted;

    Inode(Filesystem filesystem, long number, FileStatus.Type type, int mode, String linkTarget, @Nullable Disk disk) {
        this.filesystem = filesystem;
        this.number = number;
        this.type = type;
        this.mode = mode;
        this.linkTarget = linkTarget;
        this.disk = disk;
    }

    boolean isDirectory() {
        return type == FileStatus.Type.DIRECTORY;
    }

    void put(String childName, Inode child) {
        child.parent = this;
        child.name = childName;
        Inode old = children.put(childName, child);
        if (old != null) {
            old.deleted = true;
        }
    }

    void remove(String childName) {
        Inode old = children.remove(childName);
        if (old != null) {
            old.deleted = true;
        }
    }

    boolean isBelow(Inode directory) {
        Inode each = parent;
        while (each != null && each != directory) {
            each = each.parent;
        }
        return each != null;
    }

    /** The path from the root of its filesystem, as mountinfo shows the root of a mount. */
    String pathInFilesystem() {
        Deque<String> names = new ArrayDeque<>();
        boolean gone = false;
        for (Inode each = this; each != null && each.parent != null; each = each.parent) {
            names.addFirst(each.name);
            gone |= each.deleted;
        }
        return "/" + String.join("/", names) + (gone ? "//deleted" : "");
    }
}
