package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.rules.DriverCapabilities;
import io.volume4j.csi.internal.transport.CsiConnection;
import io.volume4j.spi.CallContext;
import java.util.Optional;

/** One driver, as far as this endpoint serves it. Thread-safe; connects when first used. */
public final class CsiClient implements AutoCloseable {
    private final CsiConnection connection;
    private final GatedCaller caller;
    private final IdentityCalls identity;
    private final ControllerCalls controller;
    private final GroupControllerCalls groups;
    private final SnapshotMetadataCalls metadata;
    private final NodeCalls node;

    /** Takes over the connection and closes it in the end. */
    public CsiClient(CsiConnection connection, Deadlines deadlines, RpcObserver observer) {
        RpcCaller plain = new RpcCaller(connection, deadlines, observer);
        this.connection = connection;
        this.caller = new GatedCaller(plain, new CapabilityCache(plain));
        this.identity = new IdentityCalls(caller);
        this.controller = new ControllerCalls(caller);
        this.groups = new GroupControllerCalls(caller);
        this.metadata = new SnapshotMetadataCalls(caller);
        this.node = new NodeCalls(caller);
    }

    public IdentityCalls identity() {
        return identity;
    }

    public ControllerCalls controller() {
        return controller;
    }

    public GroupControllerCalls groups() {
        return groups;
    }

    public SnapshotMetadataCalls metadata() {
        return metadata;
    }

    public NodeCalls node() {
        return node;
    }

    /**
     * What the driver can do; remembered for as long as that is safe.
     *
     * @throws CsiException if it has to be asked and does not answer
     */
    public DriverCapabilities capabilities(CallContext context) {
        return caller.capabilities(context);
    }

    /** What the driver could do when it last told; never asks it, so this does not block. */
    public Optional<DriverCapabilities> lastKnownCapabilities() {
        return caller.lastKnown();
    }

    /** What people call the other end. */
    public String describe() {
        return connection.describe();
    }

    @Override
    public void close() {
        connection.close();
    }
}
