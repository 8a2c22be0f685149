package io.volume4j.spi.host;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Resolves the content that pods get as files: config maps and tokens. Thread-safe, blocking.
 *
 * @since 0.1.0
 */
public interface ConfigResolver {
    /** The config map's entries; empty if it does not exist. */
    Optional<Map<String, byte[]>> configMap(String namespace, String name);

    /**
     * Has the listener hear, on any thread and until the process ends, of the namespace and name of every config map that
     * may have changed, come or gone, so that volumes which show it follow at once.
     *
     * @return whether this host tells; by default it does not, and such volumes are looked at every one to two minutes
     */
    default boolean tellChanges(BiConsumer<String, String> listener) {
        return false;
    }

    /** A token for the pod's service account. */
    Token token(TokenRequest request);

    /** Whose token, for whom, and how long it is wanted to live. */
    record TokenRequest(String namespace, String podUid, String serviceAccount, String audience, long seconds) {}

    /** A token; its value is never shown. */
    record Token(String value, java.time.Instant expires) {
        @Override
        public String toString() {
            return "Token[expires=" + expires + "]";
        }
    }
}
