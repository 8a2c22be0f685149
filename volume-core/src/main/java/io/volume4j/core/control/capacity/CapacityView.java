package io.volume4j.core.control.capacity;

import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The facts for the decision about one capacity object.
 *
 * @param wanted its content, null if it must not exist
 * @param published the object in the cluster, null if it does not exist
 * @param awaitsPlugin whether its plugin has not been registered since this process began
 * @param known whether all capacity objects of the cluster are known
 * @param answer the plugin's last answer, null before the first
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
