package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;

/**
 * How often a step failed in a row, with what the last time, and until when it is put off.
 *
 * @param notBefore by the clock of the loop
 */
record Trouble(int failures, VolumeException failure, long notBefore) {
    String text() {
        return failure.getMessage();
    }
}
