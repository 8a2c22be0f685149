package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.spi.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * The driver's information about its node. Cached, because every attachment needs it, and refreshed when a caller has a
 * reason to think that it has changed, or when another process serves the socket. Thread-safe.
 */
public final class NodeIdentity {
    private final CsiClient node;
    private volatile @Nullable Known known;

    NodeIdentity(CsiClient node) {
        this.node = node;
    }

    /** The cached information, or else the driver's. */
    public NodeGetInfoResponse get(CallContext context) {
        Known remembered = known;
        return remembered == null || remembered.generation != node.generation() ? refresh(context) : remembered.told;
    }

    /** The driver's current information. */
    public NodeGetInfoResponse refresh(CallContext context) {
        long generation = node.generation();
        NodeGetInfoResponse told =
                Driver.translated(() -> node.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance(), context));
        known = new Known(generation, told);
        return told;
    }

    /** Makes the next {@link #get} ask the driver. */
    public void forget() {
        known = null;
    }

    /** @param generation of the connection before the call */
    private record Known(long generation, NodeGetInfoResponse told) {}
}
