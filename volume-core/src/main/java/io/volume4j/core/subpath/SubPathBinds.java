package io.volume4j.core.subpath;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Makes and removes the bind mounts of subPaths. It finds existing bind mounts by their paths only, so it needs no
 * state over a restart. Thread-safe.
 */
public final class SubPathBinds {
    private static final int INNER_MODE = 0750;
    private static final int INNER_FILE_MODE = 0640;

    private final MountBackend machine;

    public SubPathBinds(MountBackend machine) {
        this.machine = machine;
    }

    /**
     * Makes one bind mount. First removes an earlier mount at the target, because its content is unknown.
     *
     * @throws VolumeException final, if the path leads out of the volume
     */
    public void bind(RootedPath volume, SubPath part) {
        clear(part.target());
        machine.bindInside(volume, part.inside(), part.target(), part.options());
    }

    /**
     * Binds the whole volume, with other IDs. First removes an earlier mount at the target, because its ID mapping
     * cannot be read.
     *
     * @throws VolumeException final, if the volume's filesystem cannot map IDs
     */
    public void bindMapped(RootedPath volume, RootedPath target, IdMapping ids) {
        clear(target);
        boolean directory = machine.files()
                .status(volume)
                .filter(found -> found.type() != FileStatus.Type.DIRECTORY)
                .isEmpty();
        if (directory) {
            machine.files().createDirectory(target, INNER_MODE);
        } else {
            machine.files().createSparseFile(target, 0, INNER_FILE_MODE);
        }
        // Mounts that appear or disappear below the volume, for example below a hostPath, do so here too.
        machine.bind(volume, target, new BindOptions(false, true, Propagation.SLAVE, ids));
    }

    /** Creates the parent of the target, and removes the target itself with all mounts there and below. */
    private void clear(RootedPath target) {
        unmountAll(target);
        removeEmpty(target);
        Path parent = target.relative().getParent();
        if (parent != null) {
            machine.files().createDirectory(new RootedPath(target.root(), parent), INNER_MODE);
        }
    }

    /**
     * Makes a bind mount, unless the target is mounted. A bind appears atomically, so an existing one is the one of an
     * earlier call.
     *
     * @throws VolumeException final, if the path leads out of the volume
     */
    public void bindUnlessBound(RootedPath volume, SubPath part) {
        if (machine.table().at(part.target().absolute()).isEmpty()) {
            bind(volume, part);
        }
    }

    /**
     * Removes all bind mounts at or below the directory, and their mount points. Succeeds if there are none.
     *
     * @throws VolumeException final, if there are other files, which stay; also the failures of an unmount
     */
    public void removeAll(RootedPath directory) {
        unmountAll(directory);
        List<MountEntry> left = machine.table().below(directory.absolute());
        if (!left.isEmpty()) {
            throw VolumeException.uncertain(left.get(0).mountPoint() + " is still mounted");
        }
        removeEmpty(directory);
    }

    /** A recursive bind brings the mounts below its source along. */
    private void unmountAll(RootedPath place) {
        List<MountEntry> inside = new ArrayList<>(machine.table().below(place.absolute()));
        Collections.reverse(inside);
        for (MountEntry entry : inside) {
            machine.unmount(rooted(place, entry.mountPoint()), UnmountMode.NORMAL);
        }
    }

    /** Removes only empty directories and empty files: anything else is not the library's. */
    private void removeEmpty(RootedPath path) {
        HostFiles files = machine.files();
        FileStatus status = files.status(path).orElse(null);
        if (status == null) {
            return;
        }
        if (status.type() == FileStatus.Type.DIRECTORY) {
            for (String name : files.list(path)) {
                removeEmpty(path.resolve(name));
            }
            files.removeDirectory(path);
        } else if (status.type() == FileStatus.Type.FILE && status.bytes() == 0) {
            files.removeFile(path);
        } else {
            throw VolumeException.finalFailure("not removed, because it holds something: " + path)
                    .withAdvice("find out who wrote there, and remove it by hand");
        }
    }

    private static RootedPath rooted(RootedPath below, Path path) {
        return new RootedPath(below.root(), below.root().relativize(path));
    }
}
