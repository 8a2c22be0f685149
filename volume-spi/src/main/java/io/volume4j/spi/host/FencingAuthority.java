package io.volume4j.spi.host;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.util.List;
import java.util.Optional;

/**
 * An authority that can prove that a node no longer reaches its volumes. Thread-safe, blocking.
 *
 * <p>The attach/detach controller asks it on a worker, only about nodes that are not ready or gone, only while a volume waits for the
 * answer, and again after {@code askFenceEvery}. An answer that was given while the node was away counts until the node is ready again.
 *
 * @since 0.1.0
 */
public interface FencingAuthority {
    /**
     * Evidence that the node is cut off, if there is any by now. Must end soon after the call is cancelled or its time is over.
     *
     * @throws VolumeException if the authority could not be asked; that is no evidence, and the controller asks again
     */
    Optional<Fence> fence(String nodeName, CallContext context);

    /** Proves nothing. */
    static FencingAuthority none() {
        return (nodeName, context) -> Optional.empty();
    }

    /**
     * Asks each authority in order until one has evidence. One that fails keeps no other from answering.
     *
     * @return an authority whose {@code fence} fails only if no authority has evidence and at least one failed: with the first failure
     */
    static FencingAuthority anyOf(List<FencingAuthority> authorities) {
        return new FirstEvidence(authorities);
    }
}
