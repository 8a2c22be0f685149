package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;

/**
 * Empties backing storage so that another claim may have it.
 *
 * @since 0.1.0
 */
public interface Recycler {
    /** Removes all content, descriptor by descriptor; the storage itself stays. */
    void recycle(RecycleRequest request, CallContext context);

    /** What to empty. */
    record RecycleRequest(String volumeName, VolumeSource source, long capacityBytes) {}
}
