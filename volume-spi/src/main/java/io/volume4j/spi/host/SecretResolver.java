package io.volume4j.spi.host;

import io.volume4j.spi.model.SecretRef;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads secrets when a call needs them. Implementations are thread-safe and may block.
 *
 * @since 0.1.0
 */
public interface SecretResolver {
    /**
     * The secret's values.
     *
     * @throws io.volume4j.spi.VolumeException transient, if it cannot be read or does not exist
     */
    SecretValues resolve(SecretRef reference);

    /**
     * The secret's values as bytes, for volumes. Empty if the secret certainly does not exist; an optional volume
     * then stays empty. The default returns the texts of {@link #resolve} and cannot report that a secret does not
     * exist. A host with binary or optional secrets must override this method.
     */
    default Optional<Map<String, byte[]>> content(SecretRef reference) {
        Map<String, byte[]> content = new TreeMap<>();
        resolve(reference).values().forEach((key, value) -> content.put(key, value.getBytes(StandardCharsets.UTF_8)));
        return Optional.of(Collections.unmodifiableMap(content));
    }

    /**
     * Registers a listener for changes of secrets. The host calls it with every secret that may have been added,
     * changed or removed, until the process ends. The library then updates the volumes that contain the secret. Any
     * thread may call the listener. The host may report a secret that did not change. If this method returns true,
     * the host must report every change: the library then does not check secrets itself.
     *
     * @return whether this host reports changes; false by default, and then the library checks such volumes every one
     *     to two minutes
     */
    default boolean tellChanges(Consumer<SecretRef> listener) {
        return false;
    }
}
