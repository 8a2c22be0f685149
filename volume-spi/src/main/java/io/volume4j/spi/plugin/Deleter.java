package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;
import java.util.Map;

/**
 * Destroys backing storage.
 *
 * @since 0.1.0
 */
public interface Deleter {
    /**
     * Destroys the storage. Succeeds if it does not exist.
     *
     * @throws io.volume4j.spi.VolumeException in use, if a client still uses it
     */
    void delete(DeleteRequest request, CallContext context);

    /**
     * The storage to destroy.
     *
     * @param annotations annotations of the PersistentVolume, with those that the {@link Provisioner} returned
     */
    record DeleteRequest(String volumeName, VolumeSource source, Map<String, String> annotations) {
        /** A request without annotations. */
        public DeleteRequest(String volumeName, VolumeSource source) {
            this(volumeName, source, Map.of());
        }
    }
}
