package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;

/**
 * The consecutive failures of a step, the last failure, and the earliest next try.
 *
 * @param notBefore by the clock of the loop
 */
record Trouble(int failures, VolumeException failure, long notBefore) {
    String text() {
        return failure.getMessage();
    }
}
