package io.volume4j.spi.host;

import java.util.Optional;

/**
 * An authority that can prove that a node no longer reaches its volumes. Thread-safe, blocking.
 *
 * @since 0.1.0
 */
public interface FencingAuthority {
    /** Evidence that the node is cut off, if there is any by now. */
    Optional<Fence> fence(String nodeName);

    /** Proves nothing. */
    static FencingAuthority none() {
        return nodeName -> Optional.empty();
    }
}
