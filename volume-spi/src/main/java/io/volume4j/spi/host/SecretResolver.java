package io.volume4j.spi.host;

import io.volume4j.spi.model.SecretRef;

/** Resolves secrets when a call needs them. Thread-safe, blocking. */
public interface SecretResolver {
    /**
     * The secret's values.
     *
     * @throws io.volume4j.spi.VolumeException transient, if it cannot be read or does not exist
     */
    SecretValues resolve(SecretRef reference);
}
