package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * How a claim is to get its volume.
 *
 * @param uid the claim's
 * @param node for which it was decided
 * @param volume the available volume that it gets, null if one is made
 * @param className of the claim
 * @param bytes that it requests
 * @param volumeBytes the size of that volume, 0 if one is made
 * @param pool out of which a new volume is made, null where capacity is not tracked or it is promised already
 */
record Decision(
        ObjectKey claim,
        String uid,
        String node,
        @Nullable String volume,
        String className,
        long bytes,
        long volumeBytes,
        @Nullable ObjectKey pool) {}
