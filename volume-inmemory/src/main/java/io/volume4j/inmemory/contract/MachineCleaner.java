package io.volume4j.inmemory.contract;

import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Removes everything that a test left below its root, also after a failure, and lists what exists. */
final class MachineCleaner {
    private final MountBackend backend;
    private final Path root;

    MachineCleaner(MountBackend backend, Path root) {
        this.backend = backend;
        this.root = root;
    }

    /** The mounts and loop devices below the root. */
    List<String> leaks() {
        List<String> found = new ArrayList<>();
        for (MountEntry entry : backend.table().below(root)) {
            found.add("mount " + entry.mountPoint() + " of " + entry.fsType() + " " + entry.source());
        }
        for (LoopDevice loop : backend.loops().below(root)) {
            found.add("loop device " + loop.device() + " of " + loop.file());
        }
        return found;
    }

    void clean() {
        List<MountEntry> mounts = backend.table().below(root);
        for (int i = mounts.size() - 1; i >= 0; i--) {
            backend.unmount(rooted(mounts.get(i).mountPoint()), UnmountMode.LAZY);
        }
        for (LoopDevice loop : backend.loops().below(root)) {
            backend.loops().detach(rooted(loop.file()));
        }
        for (String name : backend.files().listRoot(root)) {
            removeTree(RootedPath.of(root, name));
        }
        Path parent = root.getParent();
        Path name = root.getFileName();
        if (parent != null && name != null) {
            backend.files().removeDirectory(new RootedPath(parent, name));
        }
    }

    private void removeTree(RootedPath path) {
        boolean directory = backend.files()
                .status(path)
                .filter(status -> status.type() == FileStatus.Type.DIRECTORY)
                .isPresent();
        if (!directory) {
            backend.files().removeFile(path);
            return;
        }
        for (String name : backend.files().list(path)) {
            removeTree(path.resolve(name));
        }
        backend.files().removeDirectory(path);
    }

    private RootedPath rooted(Path path) {
        return new RootedPath(root, root.relativize(path));
    }
}
