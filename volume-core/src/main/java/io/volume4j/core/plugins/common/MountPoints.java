package io.volume4j.core.plugins.common;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The directories of ours that something is mounted on: made before a mount, removed after it or when it failed. */
public final class MountPoints {
    /** The owner's business only; what is mounted there brings its own mode. */
    private static final int MODE = 0750;

    private final MountBackend backend;

    public MountPoints(MountBackend backend) {
        this.backend = backend;
    }

    /** What is mounted exactly there. */
    public Optional<MountEntry> at(RootedPath target) {
        return at(inTable(target));
    }

    /** What is mounted there or below, parents before children. */
    public List<MountEntry> below(RootedPath target) {
        return backend.table().below(inTable(target));
    }

    /** The place as the kernel's table writes it: without the links that its owner may have put above the root. */
    private Path inTable(RootedPath target) {
        return backend.files().resolve(target.root()).orElse(target.root()).resolve(target.relative());
    }

    public Optional<MountEntry> at(Path target) {
        return backend.table().at(target);
    }

    /** All mounts whose source is the device, wherever they are; a bind of such a mount is one as well. */
    public List<MountEntry> from(Path device) {
        return backend.table().ofSource(device.toString());
    }

    /**
     * Makes the directory and mounts on it; if that fails, the directory goes again. Must not be called for a target that
     * is mounted already: the mode of a mounted directory is its pods' business.
     *
     * @throws VolumeException uncertain, if the mount failed and its directory is left
     */
    public void mountOn(RootedPath target, Runnable mount) {
        backend.files().createDirectory(target, MODE);
        try {
            mount.run();
        } catch (RuntimeException e) {
            throw withoutMountPoint(e, target, () -> removeEmpty(target));
        }
    }

    /** The same with a file as the mount point, for what is no directory. */
    public void mountOnFile(RootedPath target, Runnable mount) {
        backend.files().createSparseFile(target, 0, MODE & 0640);
        try {
            mount.run();
        } catch (RuntimeException e) {
            throw withoutMountPoint(e, target, () -> backend.files().removeFile(target));
        }
    }

    /**
     * The failure of a mount, once its mount point is removed. If the mount point cannot be removed, the failure becomes uncertain:
     * only then the caller tears the mount down, and removes the mount point with it.
     */
    private RuntimeException withoutMountPoint(RuntimeException failure, RootedPath target, Runnable removal) {
        if (unlessUnreadable(() -> at(target).isPresent())) {
            // That holds it, so it is not ours to remove.
            return failure;
        }
        return Rollback.undone(failure, "its mount point is left", removal);
    }

    /** Files in it are not ours, and so neither is the directory. */
    private void removeEmpty(RootedPath target) {
        try {
            backend.files().removeDirectory(target);
        } catch (VolumeException e) {
            if (!unlessUnreadable(() -> !backend.files().list(target).isEmpty())) {
                throw e;
            }
        }
    }

    /** What cannot be read shows nothing. */
    private static boolean unlessUnreadable(Supplier<Boolean> look) {
        try {
            return look.get();
        } catch (VolumeException unreadable) {
            return false;
        }
    }

    /**
     * Takes away the one mount that is ours and its mount point; absent is success.
     *
     * @throws VolumeException uncertain, if it was unmounted and the mount point is left: a caller that is told that nothing
     *     happened would go on with a mount that is gone
     */
    public void takeAway(RootedPath target, UnmountMode mode) {
        if (at(target).isPresent()) {
            backend.unmount(target, mode);
            Rollback.afterEffect(() -> removeUnmounted(target));
        } else {
            removeUnmounted(target);
        }
    }

    /** The same for a mount that came with others below it. */
    public void takeAwayWithChildren(RootedPath target) {
        List<MountEntry> mounts = below(target);
        Path own = inTable(target);
        for (int i = mounts.size() - 1; i >= 0; i--) {
            Path place = target.relative().resolve(own.relativize(mounts.get(i).mountPoint()));
            backend.unmount(new RootedPath(target.root(), place.normalize()), UnmountMode.NORMAL);
        }
        removeUnmounted(target);
    }

    /** Removes the mount point of what should be unmounted by now. */
    public void removeUnmounted(RootedPath target) {
        Optional<MountEntry> left = at(target);
        if (left.isPresent()) {
            throw VolumeException.transientFailure("still mounted at " + target + " after unmounting: "
                            + left.get().fsType() + " from "
                            + MessageText.text(left.get().source()))
                    .withAdvice("another process may have mounted there; unmount it by hand");
        }
        if (backend.files().status(target).filter(MountPoints::isNoDirectory).isPresent()) {
            backend.files().removeFile(target);
        } else {
            backend.files().removeDirectory(target);
        }
    }

    private static boolean isNoDirectory(FileStatus status) {
        return status.type() != FileStatus.Type.DIRECTORY;
    }
}
