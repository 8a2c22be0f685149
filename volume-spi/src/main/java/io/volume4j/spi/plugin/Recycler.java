package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;

/**
 * Empties backing storage so that another claim can use it.
 *
 * @since 0.1.0
 */
public interface Recycler {
    /** Removes all content. Follows no links. The storage itself stays. */
    void recycle(RecycleRequest request, CallContext context);

    /** The storage to empty. */
    record RecycleRequest(String volumeName, VolumeSource source, long capacityBytes) {}
}
