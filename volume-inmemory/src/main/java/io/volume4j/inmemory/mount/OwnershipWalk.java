package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.mount.PathWalk.Reach;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;

/** Changes the group of a tree of files, the topmost directory last. Guarded by the machine. */
final class OwnershipWalk {
    private final Machine machine;
    private final RootedPath path;
    private final OwnershipChange change;
    private final CallContext context;
    private final String call;
    private long examined;
    private long changed;

    OwnershipWalk(Machine machine, RootedPath path, OwnershipChange change, CallContext context) {
        this.machine = machine;
        this.path = path;
        this.change = change;
        this.context = context;
        this.call = "chown " + path;
    }

    void changeContent() {
        Place top = machine.walk().below(path, Reach.ACROSS_MOUNTS, call);
        if (!top.inode().isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        MemoryFiles.requireWritable(top, call);
        top.inode().children.values().forEach(this::change);
    }

    /** Also examines the files of the first half again, and counts each once. */
    void changeAll() {
        examined = 0;
        changeContent();
        give(machine.walk().below(path, Reach.ACROSS_MOUNTS, call).inode());
    }

    OwnershipReport report() {
        return new OwnershipReport(examined, changed, 0, "");
    }

    private void change(Inode inode) {
        if (context.cancelled()) {
            throw VolumeException.uncertain(call + " was stopped after " + examined + " files");
        }
        if (machine.mounts().covers(inode)) {
            return;
        }
        inode.children.values().forEach(this::change);
        give(inode);
    }

    private void give(Inode inode) {
        examined++;
        boolean link = inode.type == FileStatus.Type.LINK;
        int wanted = link ? 0 : inode.isDirectory() ? change.addToDirectories() : change.addToFiles();
        if (inode.group != change.group() || (inode.mode & wanted) != wanted) {
            inode.group = change.group();
            inode.mode |= wanted;
            changed++;
        }
    }
}
