package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The machine's mounts at one moment: which there are, and where, never changes. Options are those of that moment or of a
 * later one. Look-ups cost the same however many mounts there are.
 *
 * <p>A mount that is missing here is gone only if a second reading misses it too.
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

    /** All mounts whose source is that text, such as {@code /dev/loop3}; a bind of such a mount is one as well. */
    default List<MountEntry> ofSource(String source) {
        return below(Path.of("/")).stream()
                .filter(entry -> entry.source().equals(source))
                .toList();
    }

    int size();
}
