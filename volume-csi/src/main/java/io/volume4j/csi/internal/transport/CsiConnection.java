package io.volume4j.csi.internal.transport;

import io.grpc.Channel;

/** The way to one driver. Thread-safe. */
public interface CsiConnection extends AutoCloseable {
    /**
     * A channel for one call.
     *
     * @throws DriverUnreachableException if there is no driver to talk to; nothing was sent
     */
    Lease lease() throws DriverUnreachableException;

    /** Tells that a call on the lease ended without having been sent, so that the next one starts afresh. */
    void neverSent(Lease lease);

    /** Grows whenever another process may have come to the other end. */
    long generation();

    /** What people call the other end. */
    String describe();

    /** Ends what this connection began; calls under way get a bounded time to finish. Idempotent. */
    @Override
    void close();

    /**
     * A channel for one call.
     *
     * @param generation when it was given out; see {@link #generation()}
     * @param ours whether the library made the channel; see {@link CallTrace}
     */
    record Lease(Channel channel, long generation, boolean ours) {}
}
