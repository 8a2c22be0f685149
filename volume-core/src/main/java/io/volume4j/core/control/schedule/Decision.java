package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * How a claim will get its volume.
 *
 * @param uid of the claim
 * @param node the node of the decision
 * @param volume the available volume for it, null for a new volume
 * @param className of the claim
 * @param bytes the requested size
 * @param volumeBytes the size of that volume, 0 for a new volume
 * @param pool the pool of a new volume, null if capacity is not tracked or is promised already
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
