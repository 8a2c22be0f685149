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
            LOG.atWarn()
                    .addKeyValue("step", what)
                    .addKeyValue("millis", took.toMillis())
                    .addKeyValue("error", failure.reason())
                    .addKeyValue("advice", failure.advice())
                    .log("step failed");
        } else if (ended) {
            LOG.atInfo()
                    .addKeyValue("step", what)
                    .addKeyValue("millis", took.toMillis())
                    .log("step done");
        }
    }
}
