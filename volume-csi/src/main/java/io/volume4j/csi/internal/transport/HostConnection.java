package io.volume4j.csi.internal.transport;

import io.grpc.Channel;

/**
 * A channel that the host provides. The host connects, reconnects and closes it, and is responsible for the trust in
 * the other end.
 */
public final class HostConnection implements CsiConnection {
    private final Lease lease;

    public HostConnection(Channel channel) {
        this.lease = new Lease(channel, 0, false);
    }

    @Override
    public Lease lease() {
        return lease;
    }

    @Override
    public void neverSent(Lease lease) {}

    /** Not known; after a lost call a caller that needs it must ask the driver for its version. */
    @Override
    public long generation() {
        return 0;
    }

    @Override
    public String describe() {
        return "channel " + lease.channel().authority();
    }

    @Override
    public void close() {}
}
