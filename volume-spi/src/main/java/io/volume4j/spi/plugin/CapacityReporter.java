package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.StorageClass;
import java.util.Map;

/**
 * Says how much a backend can still provision.
 *
 * @since 0.1.0
 */
public interface CapacityReporter {
    Capacity capacity(CapacityRequest request, CallContext context);

    /** Where, and for which class; an empty segment asks for everywhere. */
    record CapacityRequest(StorageClass storageClass, Map<String, String> topologySegment) {}

    /** Bytes in the pool, and the greatest size of one volume (0 for no limit but the pool). */
    record Capacity(long availableBytes, long maximumVolumeBytes) {}
}
