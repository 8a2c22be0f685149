package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.mount.PathWalk.Reach;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.TreeUsage;

/** Measures a tree of files. Only content takes space here. */
final class TreeMeasure {
    private final Machine machine;
    private final RootedPath path;
    private final CallContext context;
    private long bytes;
    private long inodes;

    TreeMeasure(Machine machine, RootedPath path, CallContext context) {
        this.machine = machine;
        this.path = path;
        this.context = context;
    }

    TreeUsage run() {
        synchronized (machine) {
            String call = "measure " + path;
            Inode top = machine.walk().below(path, Reach.ACROSS_MOUNTS, call).inode();
            if (!top.isDirectory()) {
                throw KernelError.ENOTDIR.of(call);
            }
            add(top);
            return new TreeUsage(bytes, inodes);
        }
    }

    private void add(Inode inode) {
        if (context.cancelled()) {
            throw VolumeException.transientFailure("measuring " + path + " was stopped after " + inodes + " files");
        }
        bytes += inode.data.allocated();
        inodes++;
        for (Inode child : inode.children.values()) {
            if (!machine.mounts().covers(child)) {
                add(child);
            }
        }
    }
}
