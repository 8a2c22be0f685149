package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.VolumeException;

/** Calls that are expected to fail. */
final class Failing {
    private Failing() {}

    static VolumeException failureOf(Runnable call) {
        return catchThrowableOfType(VolumeException.class, call::run);
    }
}
