package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.StorageClass;
import java.util.Map;

/**
 * Reports how much a backend can still provision.
 *
 * @since 0.1.0
 */
public interface CapacityReporter {
    Capacity capacity(CapacityRequest request, CallContext context);

    /** The class and the topology segment to report on. An empty segment means everywhere. */
    record CapacityRequest(StorageClass storageClass, Map<String, String> topologySegment) {}

    /** Available bytes in the pool, and the maximum size of one volume in bytes (0 if only the pool limits it). */
    record Capacity(long availableBytes, long maximumVolumeBytes) {}
}
