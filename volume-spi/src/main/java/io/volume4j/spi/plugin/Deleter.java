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
     * Destroys it; absent is success.
     *
     * @throws io.volume4j.spi.VolumeException in use, if a client still uses it
     */
    void delete(DeleteRequest request, CallContext context);

    /**
     * What to destroy.
     *
     * @param annotations of the volume's object, among them those that the {@link Provisioner} asked for
     */
    record DeleteRequest(String volumeName, VolumeSource source, Map<String, String> annotations) {
        /** Of a volume that needs no annotation. */
        public DeleteRequest(String volumeName, VolumeSource source) {
            this(volumeName, source, Map.of());
        }
    }
}
