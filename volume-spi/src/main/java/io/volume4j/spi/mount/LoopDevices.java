package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Block devices whose sectors are a file's; loop(4). Thread-safe.
 *
 * @since 0.1.0
 */
public interface LoopDevices {
    /**
     * Sets up a device for the file, or returns the one that is set up for it already. The file may be a block device, which
     * is then held open for as long as the loop device is there.
     */
    Path attach(RootedPath file, boolean readOnly);

    /** The device that is set up for the file. */
    Optional<Path> find(RootedPath file);

    /** Takes down the device if it is still the file's; none is success. Busy is an error. */
    void detach(RootedPath file);

    /** Makes the device as large as its file has become. */
    void refreshSize(RootedPath file);

    /** All devices whose files lie below the directory, also deleted files. */
    List<LoopDevice> below(Path directory);

    /** A device and its file. */
    record LoopDevice(Path device, Path file) {}
}
