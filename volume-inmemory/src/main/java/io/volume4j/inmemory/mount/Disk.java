package io.volume4j.inmemory.mount;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A block device. Guarded by the machine. */
final class Disk {
    final Path path;
    final String majorMinor;
    final String serial;
    final DiskImage image;
    final boolean readOnly;
    /** The file behind a loop device, null for a real disk. */
    final @Nullable Inode backing;
    /** The path of that file when the device was set up. */
    final @Nullable Path backingPath;

    long bytes;

    Disk(
            Path path,
            String majorMinor,
            String serial,
            DiskImage image,
            long bytes,
            boolean readOnly,
            @Nullable Inode backing,
            @Nullable Path backingPath) {
        this.path = path;
        this.majorMinor = majorMinor;
        this.serial = serial;
        this.image = image;
        this.bytes = bytes;
        this.readOnly = readOnly;
        this.backing = backing;
        this.backingPath = backingPath;
    }
}
