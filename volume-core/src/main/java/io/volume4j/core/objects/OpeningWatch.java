package io.volume4j.core.objects;

import io.volume4j.spi.host.ClusterSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A watch that a worker opens while the loop may end it, or end itself, at any time: the second of the two has it closed.
 * Thread-safe.
 */
final class OpeningWatch {
    private ClusterSource.@Nullable Watch opened;
    private boolean ended;

    /** False if it was ended before: the caller closes it then. */
    synchronized boolean opened(ClusterSource.Watch watch) {
        opened = watch;
        return !ended;
    }

    /** What the caller is to close, if it was opened by now. */
    synchronized Optional<ClusterSource.Watch> end() {
        ended = true;
        return Optional.ofNullable(opened);
    }
}
