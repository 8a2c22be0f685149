package io.volume4j.csi.internal.transport;

import io.grpc.Channel;

/** A connection to one driver. Thread-safe. */
public interface CsiConnection extends AutoCloseable {
    /**
     * A channel for one call.
     *
     * @throws DriverUnreachableException if no driver can be reached; nothing was sent
     */
    Lease lease() throws DriverUnreachableException;

    /** Reports that a call on the lease was not sent, so that the next call makes a new connection. */
    void neverSent(Lease lease);

    /** Grows when another process may be at the other end. */
    long generation();

    /** The name of the other end, for messages. */
    String describe();

    /** Closes the channels that this connection opened; running calls get a bounded time to finish. Idempotent. */
    @Override
    void close();

    /**
     * A channel for one call.
     *
     * @param generation of the connection at the time of the lease; see {@link #generation()}
     * @param ours whether the library opened the channel; see {@link CallTrace}
     */
    record Lease(Channel channel, long generation, boolean ours) {}
}
