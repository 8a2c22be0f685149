package io.volume4j.spi.mount;

import io.volume4j.spi.CallContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Block devices and the filesystems on them. Thread-safe.
 *
 * @since 0.1.0
 */
public interface BlockDevices {
    /**
     * The identity of the device that is at the path now.
     *
     * @throws io.volume4j.spi.VolumeException transient, if there is nothing at the path or if it is not a block device
     */
    DeviceIdentity identify(Path device);

    /**
     * The content of the device, as far as a few reads show.
     *
     * @throws io.volume4j.spi.VolumeException transient, if a region could not be read or if the device is too short;
     *     the caller must not treat such a device as blank
     */
    DeviceContent probe(Path device);

    /**
     * The content of the device. If it has no known signature, this method reads the whole device to prove that it is
     * blank, except known holes. It does so only if that is not more than {@code readAtMost}. Reports progress to the
     * context, and stops when the call is cancelled or its time is over.
     *
     * <p>The default reads no more than {@link #probe(Path)}.
     *
     * @param readAtMost bytes; backends may read a little more, as for {@link #probe(Path)}
     * @throws io.volume4j.spi.VolumeException transient, if a part could not be read, the device is too short, or the
     *     call ended first; the caller must not treat such a device as blank
     */
    default DeviceContent probe(Path device, long readAtMost, CallContext context) {
        return probe(device);
    }

    /**
     * Makes a filesystem on the device. First checks the device's identity again, through the same descriptor that it
     * formats.
     *
     * @throws io.volume4j.spi.VolumeException final, if it is another device now, or if mkfs for the type is not
     *     installed; uncertain, if mkfs started and did not succeed
     */
    void format(Path device, DeviceIdentity expected, String fsType, List<String> options, CallContext context);

    /**
     * Checks the filesystem of an unmounted device, and repairs what is safe to repair.
     *
     * @throws io.volume4j.spi.VolumeException final, if errors remain
     */
    void check(Path device, String fsType, CallContext context);

    /**
     * Expands the filesystem to the size of its device. Succeeds if it is already that large.
     *
     * @param mountPoint where it is mounted, which xfs and btrfs need
     */
    void grow(Path device, Path mountPoint, String fsType, CallContext context);

    /**
     * Waits until {@code look} finds something. Calls it at the start, and each time that a name is added to or
     * removed from one of the directories, such as {@code /dev} or {@code /dev/disk/by-id}. A directory may be
     * created later. Ends at the latest when the call is cancelled or its time is over.
     *
     * <p>The default calls {@code look} once. This suits backends whose devices appear at once or never.
     *
     * @param directories absolute
     * @param atMost how long to wait
     * @param look the search; must not block. Its exceptions end the wait
     * @return what {@code look} found; empty if the time ended first
     * @throws io.volume4j.spi.VolumeException transient, if the directories cannot be watched
     */
    default <T> Optional<T> await(
            List<Path> directories, Duration atMost, CallContext context, Supplier<Optional<T>> look) {
        return look.get();
    }
}
