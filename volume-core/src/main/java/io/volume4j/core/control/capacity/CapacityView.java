package io.volume4j.core.control.capacity;

import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * What must be known to decide about one object that tells a capacity.
 *
 * @param wanted null if there is to be none
 * @param published as it is in the cluster, null if it is not there
 * @param awaitsPlugin whether the plugin that it tells of has not been there since this process began
 * @param known whether all such objects of the cluster are known
 * @param answer what the plugin said last, null if it has not said anything yet
 * @param now loop time
 */
public record CapacityView(
        ObjectKey key,
        @Nullable Wanted wanted,
        @Nullable CsiStorageCapacity published,
        boolean awaitsPlugin,
        boolean known,
        @Nullable Answer answer,
        long now) {}
