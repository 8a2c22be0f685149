package io.volume4j.core.objects;

import io.volume4j.spi.host.ClusterSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A watch that a worker opens while the loop may end it. The second of both events closes it. Thread-safe. */
final class OpeningWatch {
    private ClusterSource.@Nullable Watch opened;
    private boolean ended;

    /** Stores the watch. False if it was ended before: the caller must then close it. */
    synchronized boolean opened(ClusterSource.Watch watch) {
        opened = watch;
        return !ended;
    }

    /** Ends the watch. Returns it if it is open; the caller must then close it. */
    synchronized Optional<ClusterSource.Watch> end() {
        ended = true;
        return Optional.ofNullable(opened);
    }
}
