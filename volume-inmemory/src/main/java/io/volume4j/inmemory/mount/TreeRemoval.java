package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.mount.PathWalk.Reach;
import io.volume4j.spi.mount.RootedPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes a tree of files, name by name, but no mounted files. Guarded by the machine. */
final class TreeRemoval {
    private final Machine machine;
    private final RootedPath path;
    private final String call;

    TreeRemoval(Machine machine, RootedPath path) {
        this.machine = machine;
        this.path = path;
        this.call = "remove tree " + path;
    }

    void removeAll() {
        Place parent = parent();
        Inode top = parent == null ? null : parent.inode().children.get(PathWalk.name(path));
        if (parent != null && top != null) {
            MemoryFiles.requireWritable(parent, call);
            remove(parent.inode(), top);
        }
    }

    void removeFirst() {
        Place parent = parent();
        Inode at = parent == null ? null : parent.inode().children.get(PathWalk.name(path));
        if (parent == null || at == null) {
            return;
        }
        MemoryFiles.requireWritable(parent, call);
        Inode directory = parent.inode();
        while (!at.children.isEmpty()) {
            requireBare(at);
            directory = at;
            at = at.children.firstEntry().getValue();
        }
        requireBare(at);
        directory.remove(at.name);
    }

    private void remove(Inode directory, Inode inode) {
        requireBare(inode);
        for (Inode child : List.copyOf(inode.children.values())) {
            remove(inode, child);
        }
        directory.remove(inode.name);
    }

    private void requireBare(Inode inode) {
        if (machine.mounts().covers(inode)) {
            throw KernelError.EBUSY.of(call, "something is mounted on " + inode.pathInFilesystem());
        }
    }

    private @Nullable Place parent() {
        return machine.walk().tryParentOf(path, Reach.SAME_MOUNT, call);
    }
}
