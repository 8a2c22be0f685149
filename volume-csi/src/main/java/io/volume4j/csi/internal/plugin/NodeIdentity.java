package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.spi.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * What the driver says of the node that it runs on. It is kept, because every attachment needs it, and asked for again when
 * a caller has reason to believe that it has changed. Thread-safe.
 */
public final class NodeIdentity {
    private final CsiClient node;
    private volatile @Nullable NodeGetInfoResponse known;

    NodeIdentity(CsiClient node) {
        this.node = node;
    }

    /** What is remembered, or else what the driver says. */
    public NodeGetInfoResponse get(CallContext context) {
        NodeGetInfoResponse remembered = known;
        return remembered == null ? refresh(context) : remembered;
    }

    /** What the driver says now. */
    public NodeGetInfoResponse refresh(CallContext context) {
        NodeGetInfoResponse told =
                Driver.translated(() -> node.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance(), context));
        known = told;
        return told;
    }

    /** Asks again at the next opportunity. */
    public void forget() {
        known = null;
    }
}
