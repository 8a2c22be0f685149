package io.volume4j.spi.host;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Provides the content that pods get as files: config maps and tokens. Implementations are thread-safe and may block.
 *
 * @since 0.1.0
 */
public interface ConfigResolver {
    /** The entries of the config map. Empty if it does not exist. */
    Optional<Map<String, byte[]>> configMap(String namespace, String name);

    /**
     * Registers a listener for changes of config maps. The host calls it with namespace and name of every config map
     * that may have been added, changed or removed, until the process ends. The library then updates the volumes that
     * contain the config map. Any thread may call the listener.
     *
     * @return whether this host reports changes; false by default, and then the library checks such volumes every one
     *     to two minutes
     */
    default boolean tellChanges(BiConsumer<String, String> listener) {
        return false;
    }

    /** A token for the pod's service account. */
    Token token(TokenRequest request);

    /**
     * Describes the token that the library requests: for which service account and audience, and the wanted lifetime
     * in seconds.
     */
    record TokenRequest(String namespace, String podUid, String serviceAccount, String audience, long seconds) {}

    /** A token. {@link #toString()} does not contain its value. */
    record Token(String value, java.time.Instant expires) {
        @Override
        public String toString() {
            return "Token[expires=" + expires + "]";
        }
    }
}
