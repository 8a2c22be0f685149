package io.volume4j.csi;

import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.Map;
import java.util.Optional;

/**
 * Objects of a host that a volume is made with and that the library does not keep itself. Asked on worker threads; may
 * block; may throw {@link io.volume4j.spi.VolumeException}. Thread-safe.
 *
 * @since 0.1.0
 */
public interface CsiObjects {
    /**
     * The snapshot or volume behind a claim's data source, by the driver's name for it; empty if there is no such thing.
     *
     * @param namespace of the claim
     */
    Optional<ContentSource> contentSource(String namespace, TypedReference reference);

    /** The parameters of a VolumeAttributesClass; empty if there is none of the name. */
    Optional<Map<String, String>> volumeAttributes(String className);

    /** Knows nothing: claims with a data source or an attributes class are not provisioned. */
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
