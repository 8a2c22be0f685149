package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The machine's mounts at one moment. The set of mounts and their places never change; the options may be those of a
 * later moment. The time of a lookup does not depend on the number of mounts.
 *
 * <p>A reading of the kernel's table may miss a mount. A mount is certainly gone only if a second reading does not
 * contain it either.
 *
 * @since 0.1.0
 */
public interface MountTable {
    /** The topmost mount exactly at the path. */
    Optional<MountEntry> at(Path mountPoint);

    /** All mounts at or below the path, parents before children. */
    List<MountEntry> below(Path path);

    /** All mounts of the device, in the order in which they were made. */
    List<MountEntry> ofDevice(String majorMinor);

    /** All mounts with that source, such as {@code /dev/loop3}. Includes bind mounts of such a mount. */
    default List<MountEntry> ofSource(String source) {
        return below(Path.of("/")).stream()
                .filter(entry -> entry.source().equals(source))
                .toList();
    }

    int size();
}
