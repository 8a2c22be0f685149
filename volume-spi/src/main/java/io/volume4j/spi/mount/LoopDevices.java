package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Loop devices: block devices whose sectors are the content of a file; loop(4). Thread-safe.
 *
 * @since 0.1.0
 */
public interface LoopDevices {
    /**
     * Sets up a loop device for the file, or returns the existing one. The file may be a block device; the loop
     * device then keeps it open. Fails (transient) if the kernel will detach the existing device when it is closed. Fails
     * (final) if the existing device has the other mode, or shows only a part of the file.
     */
    Path attach(RootedPath file, boolean readOnly);

    /**
     * The loop device of the file; empty if there is none. If other programs made more of them, one that shows the whole file
     * comes first, and then one that can be written. If there is no other, the device may show only a part of the file.
     */
    Optional<Path> find(RootedPath file);

    /**
     * Removes the file's loop device. Succeeds if the file has none. Fails if the device is busy. Fails (uncertain) if
     * another process has it open: the kernel then detaches it when that process closes it.
     */
    void detach(RootedPath file);

    /** Updates the size of the device to the current size of its file. */
    void refreshSize(RootedPath file);

    /** All loop devices whose files are below the directory. Includes deleted files. */
    List<LoopDevice> below(Path directory);

    /** A loop device and its file. */
    record LoopDevice(Path device, Path file) {}
}
