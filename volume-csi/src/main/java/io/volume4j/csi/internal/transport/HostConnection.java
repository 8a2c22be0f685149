package io.volume4j.csi.internal.transport;

import io.grpc.Channel;

/** A channel that the host brought: it connects, reconnects and closes it, and answers for who is at the other end. */
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

    /** Not known; a caller that needs it has to ask the driver for its version when a call was lost. */
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
