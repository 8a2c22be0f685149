package io.volume4j.spi.host;

import io.volume4j.spi.model.SecretRef;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Resolves secrets when a call needs them. Thread-safe, blocking.
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
     * The secret's values as the bytes that they are, for volumes; empty if it certainly does not exist, which optional
     * volumes bear. By default the texts of {@link #resolve}, which cannot tell that: a host whose secrets may be binary or
     * optional gives its own.
     */
    default Optional<Map<String, byte[]>> content(SecretRef reference) {
        Map<String, byte[]> content = new TreeMap<>();
        resolve(reference).values().forEach((key, value) -> content.put(key, value.getBytes(StandardCharsets.UTF_8)));
        return Optional.of(Collections.unmodifiableMap(content));
    }

    /**
     * Has the listener hear, on any thread and until the process ends, of every secret that may have changed, come or gone,
     * so that volumes which show it follow at once. A secret that did not change may be told of; one that is not told of is
     * not looked at again.
     *
     * @return whether this host tells; by default it does not, and such volumes are looked at every one to two minutes
     */
    default boolean tellChanges(Consumer<SecretRef> listener) {
        return false;
    }
}
