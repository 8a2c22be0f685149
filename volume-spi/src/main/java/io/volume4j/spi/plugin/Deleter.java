package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;

/** Destroys backing storage. */
public interface Deleter {
    /**
     * Destroys it; absent is success.
     *
     * @throws io.volume4j.spi.VolumeException in use, if somebody still uses it
     */
    void delete(DeleteRequest request, CallContext context);

    /** What to destroy. */
    record DeleteRequest(String volumeName, VolumeSource source) {}
}
