package io.volume4j.core.plugins.common;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The library's mount points: directories that it creates before a mount, and removes after an unmount or a failed
 * mount.
 */
public final class MountPoints {
    /** Only for the owner. A mounted filesystem has its own mode. */
    private static final int MODE = 0750;

    /** sysfs has every block device here, partitions and maps included. */
    private static final Path BLOCK_DEVICES = Path.of("/sys/class/block");

    private static final int LONGEST_NUMBER = 64;

    private final MountBackend backend;

    public MountPoints(MountBackend backend) {
        this.backend = backend;
    }

    /** The mount exactly at the path. */
    public Optional<MountEntry> at(RootedPath target) {
        return at(inTable(target));
    }

    /** The mounts at or below the path, parents before children. */
    public List<MountEntry> below(RootedPath target) {
        return backend.table().below(inTable(target));
    }

    /** The path as in the mount table: without links, which the owner may have used above the root. */
    private Path inTable(RootedPath target) {
        return backend.files().resolve(target.root()).orElse(target.root()).resolve(target.relative());
    }

    public Optional<MountEntry> at(Path target) {
        return backend.table().at(target);
    }

    /**
     * All mounts of the device, at any path, including binds of them. Also those under another name of the device: the
     * table shows the name with which each was mounted, such as {@code /dev/mapper/group-data} for {@code /dev/dm-3}.
     */
    public List<MountEntry> from(Path device) {
        Set<MountEntry> found = new LinkedHashSet<>(backend.table().ofSource(device.toString()));
        number(device).ifPresent(number -> found.addAll(backend.table().ofDevice(number)));
        return List.copyOf(found);
    }

    /** The device number, such as {@code 253:3}; empty if sysfs does not show the device. */
    private Optional<String> number(Path device) {
        Path name = backend.files().resolve(device).orElse(device).getFileName();
        return Optional.ofNullable(name)
                .flatMap(known ->
                        backend.files().read(RootedPath.of(BLOCK_DEVICES.resolve(known), "dev"), LONGEST_NUMBER))
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip());
    }

    /**
     * Creates the directory and mounts on it. If the mount fails, removes the directory. The caller must not use it
     * for a mounted target, because the mode of a mounted directory belongs to its pods.
     *
     * @throws VolumeException uncertain, if the mount failed and the directory could not be removed
     */
    public void mountOn(RootedPath target, Runnable mount) {
        backend.files().createDirectory(target, MODE);
        try {
            mount.run();
        } catch (RuntimeException e) {
            throw withoutMountPoint(e, target, () -> removeEmpty(target));
        }
    }

    /** The same with a file as the mount point, for a source that is not a directory. */
    public void mountOnFile(RootedPath target, Runnable mount) {
        backend.files().createSparseFile(target, 0, MODE & 0640);
        try {
            mount.run();
        } catch (RuntimeException e) {
            throw withoutMountPoint(e, target, () -> backend.files().removeFile(target));
        }
    }

    /**
     * Removes the mount point of a failed mount, and returns the failure. If the mount point cannot be removed, the
     * failure becomes uncertain: only then the caller tears the mount down, and removes the mount point too.
     */
    private RuntimeException withoutMountPoint(RuntimeException failure, RootedPath target, Runnable removal) {
        if (unlessUnreadable(() -> at(target).isPresent())) {
            // The existing mount keeps the directory, so this call must not remove it.
            return failure;
        }
        return Rollback.undone(failure, "its mount point is left", removal);
    }

    /** Removes the directory if it is empty. Files in it belong to other owners. */
    private void removeEmpty(RootedPath target) {
        try {
            backend.files().removeDirectory(target);
        } catch (VolumeException e) {
            if (!unlessUnreadable(() -> !backend.files().list(target).isEmpty())) {
                throw e;
            }
        }
    }

    /** An unreadable directory or table counts as false. */
    private static boolean unlessUnreadable(Supplier<Boolean> look) {
        try {
            return look.get();
        } catch (VolumeException unreadable) {
            return false;
        }
    }

    /**
     * Unmounts the library's mount and removes its mount point. Succeeds if neither exists.
     *
     * @throws VolumeException uncertain, if it was unmounted and the mount point could not be removed. With a failure
     *     that denies any effect, the caller would rely on a mount that is gone
     */
    public void takeAway(RootedPath target, UnmountMode mode) {
        if (at(target).isPresent()) {
            backend.unmount(target, mode);
            Rollback.afterEffect(() -> removeUnmounted(target));
        } else {
            removeUnmounted(target);
        }
    }

    /** The same for a mount that also bound the mounts below it. */
    public void takeAwayWithChildren(RootedPath target) {
        List<MountEntry> mounts = below(target);
        Path own = inTable(target);
        for (int i = mounts.size() - 1; i >= 0; i--) {
            Path place = target.relative().resolve(own.relativize(mounts.get(i).mountPoint()));
            backend.unmount(new RootedPath(target.root(), place.normalize()), UnmountMode.NORMAL);
        }
        removeUnmounted(target);
    }

    /** Removes the mount point after an unmount. */
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
