package io.volume4j.csi;

import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.Map;
import java.util.Optional;

/**
 * Objects of a host that a plugin needs to provision a volume. The library calls it on worker threads.
 * Implementations are thread-safe, may block and may throw {@link io.volume4j.spi.VolumeException}.
 *
 * @since 0.1.0
 */
public interface CsiObjects {
    /**
     * The snapshot or volume of a claim's data source, by the driver's handle; empty if it does not exist.
     * @param namespace the namespace of the claim
     */
    Optional<ContentSource> contentSource(String namespace, TypedReference reference);

    /** The parameters of a VolumeAttributesClass; empty if it does not exist. */
    Optional<Map<String, String>> volumeAttributes(String className);

    /**
     * An implementation without objects: the plugin provisions no claims with a data source or a
     * VolumeAttributesClass.
     */
    static CsiObjects none() {
        return new CsiObjects() {
            @Override
            public Optional<ContentSource> contentSource(String namespace, TypedReference reference) {
                return Optional.empty();
            }

            @Override
            public Optional<Map<String, String>> volumeAttributes(String className) {
                return Optional.empty();
            }
        };
    }
}
