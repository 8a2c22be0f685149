package io.volume4j.spi.host;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.util.List;
import java.util.Optional;

/**
 * An authority that can prove that a node no longer reaches its volumes. Thread-safe, blocking.
 *
 * <p>The attach/detach controller asks on a worker thread. It asks only about nodes that are gone or not ready, and
 * only while a volume waits for the answer. It asks again after {@code askFenceEvery}. An answer from the time when
 * the node was away is valid until the node is ready again.
 *
 * @since 0.1.0
 */
public interface FencingAuthority {
    /**
     * Evidence that the node can no longer reach its volumes; empty if there is none yet. Must return soon after the
     * call is cancelled or its time is over.
     *
     * @throws VolumeException if the call could not ask the authority. The failure is not evidence; the controller
     *     asks again
     */
    Optional<Fence> fence(String nodeName, CallContext context);

    /** An authority that never has evidence. */
    static FencingAuthority none() {
        return (nodeName, context) -> Optional.empty();
    }

    /**
     * An authority that asks each of these in order until one has evidence. If one fails, it asks the next.
     *
     * @return an authority whose {@code fence} throws the first failure if no authority has evidence and at least one
     *     failed
     */
    static FencingAuthority anyOf(List<FencingAuthority> authorities) {
        return new FirstEvidence(authorities);
    }
}
