package io.volume4j.core.node.call;

import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Removes unidentified mounts, with the kernel alone. It unmounts from the innermost mount outwards. It removes only
 * empty directories, so that no data is lost because of a missing identity.
 */
final class UnidentifiedMountCleanup {
    private final NodeLayout layout;
    private final MountBackend machine;

    UnidentifiedMountCleanup(NodeLayout layout, MountBackend machine) {
        this.layout = layout;
        this.machine = machine;
    }

    void removeMount(MountRow row) {
        removeAt(layout.podMount(row));
        RootedPath subPaths =
                layout.podDirectory(row.podUid()).resolve(NodeLayout.SUB_PATHS).resolve(row.outerName());
        unmountBelow(subPaths);
        removeEmptyTree(subPaths);
        RootedPath all = layout.podDirectory(row.podUid()).resolve(NodeLayout.SUB_PATHS);
        if (machine.files().list(all).isEmpty()) {
            machine.files().removeDirectory(all);
        }
    }

    /** @throws VolumeException in use, while a pod has a mount of the same device */
    void removeDevice(VolumeId id) {
        MountTable table = machine.table();
        table.at(layout.deviceMount(id).absolute()).ifPresent(device -> requireUnused(table, device));
        // A loop device keeps the mount busy through which its file was opened.
        for (LoopDevice loop : machine.loops().below(layout.deviceDirectory(id).absolute())) {
            machine.loops().detach(rooted(loop.file()));
        }
        unmountBelow(layout.deviceDirectory(id));
        machine.files().removeFile(layout.deviceMetadataFile(id));
        removeEmptyTree(layout.deviceDirectory(id));
    }

    private void requireUnused(MountTable table, MountEntry device) {
        for (MountEntry mount : table.ofDevice(device.majorMinor())) {
            if (mount.mountPoint().startsWith(layout.pods().absolute())) {
                throw VolumeException.of(
                                FailureKind.IN_USE,
                                device.mountPoint() + " is not unmounted while " + mount.mountPoint() + " is mounted")
                        .withAdvice("it is unmounted by itself when its pod is gone");
            }
        }
    }

    private void removeAt(RootedPath path) {
        unmountBelow(path);
        removeEmptyTree(path);
    }

    private void unmountBelow(RootedPath path) {
        List<MountEntry> inside = new ArrayList<>(machine.table().below(path.absolute()));
        Collections.reverse(inside);
        for (MountEntry entry : inside) {
            machine.unmount(rooted(entry.mountPoint()), UnmountMode.NORMAL);
        }
        List<MountEntry> left = machine.table().below(path.absolute());
        if (!left.isEmpty()) {
            throw VolumeException.uncertain(left.get(0).mountPoint() + " is still mounted");
        }
    }

    /**
     * Removes empty directories, and the empty files that raw devices are bound on. Other contents stay and are an
     * error.
     */
    private void removeEmptyTree(RootedPath path) {
        HostFiles files = machine.files();
        FileStatus status = files.status(path).orElse(null);
        if (status == null) {
            return;
        }
        if (status.type() == FileStatus.Type.DIRECTORY) {
            for (String name : files.list(path)) {
                removeEmptyTree(path.resolve(name));
            }
            files.removeDirectory(path);
        } else if (status.type() == FileStatus.Type.FILE && status.bytes() == 0) {
            files.removeFile(path);
        } else {
            throw VolumeException.of(FailureKind.FINAL, "not removed, because it holds something: " + path)
                    .withAdvice("nothing says what volume this was: look at it, and remove it by hand");
        }
    }

    private RootedPath rooted(Path path) {
        return new RootedPath(layout.root(), layout.root().relativize(path));
    }
}
