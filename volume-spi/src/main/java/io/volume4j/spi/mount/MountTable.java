package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The machine's mounts at one moment. Immutable. Look-ups cost the same however many mounts there are.
 *
 * <p>A mount that is missing here is gone only if a second reading misses it too.
 */
public interface MountTable {
    /** The topmost mount exactly at the path. */
    Optional<MountEntry> at(Path mountPoint);

    /** All mounts at or below the path, parents before children. */
    List<MountEntry> below(Path path);

    /** All mounts of the device, in the order in which they were made. */
    List<MountEntry> ofDevice(String majorMinor);

    int size();
}
