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
     * Which device the path is now.
     *
     * @throws io.volume4j.spi.VolumeException transient, if there is none or it is no block device
     */
    DeviceIdentity identify(Path device);

    /**
     * What is on the device, as far as a few reads tell.
     *
     * @throws io.volume4j.spi.VolumeException transient, if any region could not be read or the device is too short to
     *     tell: that is not blank
     */
    DeviceContent probe(Path device);

    /**
     * What is on the device. One without any known mark is read to prove it blank, all of it that is not known to be a hole,
     * if that is not more than is allowed. Tells the context how far it is, and stops when the call is cancelled or over.
     *
     * <p>The default reads no more than {@link #probe(Path)}.
     *
     * @param readAtMost bytes; backends may read a little more, as for {@link #probe(Path)}
     * @throws io.volume4j.spi.VolumeException transient, if any part could not be read, the device is too short to tell, or
     *     the call ended first: that is not blank
     */
    default DeviceContent probe(Path device, long readAtMost, CallContext context) {
        return probe(device);
    }

    /**
     * Puts a filesystem on the device, after looking at its identity again through the descriptor that is formatted.
     *
     * @throws io.volume4j.spi.VolumeException final, if the device is another one now, or mkfs for the type is missing;
     *     uncertain, if mkfs was begun and did not end well
     */
    void format(Path device, DeviceIdentity expected, String fsType, List<String> options, CallContext context);

    /**
     * Checks the filesystem of an unmounted device, repairing what is safe to repair.
     *
     * @throws io.volume4j.spi.VolumeException final, if errors are left
     */
    void check(Path device, String fsType, CallContext context);

    /**
     * Grows the filesystem to the size of its device; as large already is success.
     *
     * @param mountPoint where it is mounted, which xfs and btrfs need
     */
    void grow(Path device, Path mountPoint, String fsType, CallContext context);

    /**
     * Looks until there is something to see: once at the start, and again each time that a name comes to or goes from one of
     * the directories, as devices do in {@code /dev} and udev's names for them below {@code /dev/disk}. A directory may
     * appear later. Ends when the call is cancelled or over, at the latest.
     *
     * <p>The default looks once, for backends whose devices are there at once or never.
     *
     * @param directories absolute
     * @param atMost how long to wait
     * @param look must not block; its exceptions end the wait
     * @return what was seen; empty if the time ended first
     * @throws io.volume4j.spi.VolumeException transient, if the directories cannot be watched
     */
    default <T> Optional<T> await(
            List<Path> directories, Duration atMost, CallContext context, Supplier<Optional<T>> look) {
        return look.get();
    }
}
