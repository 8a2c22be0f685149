package io.volume4j.examples.agent;

import io.volume4j.spi.VolumeException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a line for each step of the library. Called on its event loops; must not block. */
final class Steps {
    private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

    private Steps() {}

    static void log(String what, boolean ended, Duration took, @Nullable VolumeException failure) {
        if (failure != null) {
            LOG.warn(
                    "step=\"{}\" millis={} error=\"{}\" advice=\"{}\"",
                    what,
                    took.toMillis(),
                    failure.reason(),
                    failure.advice());
        } else if (ended) {
            LOG.info("step=\"{}\" millis={}", what, took.toMillis());
        }
    }
}
