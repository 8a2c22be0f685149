package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.rules.DriverCapabilities;
import io.volume4j.csi.internal.transport.CsiConnection;
import io.volume4j.spi.CallContext;
import java.util.Optional;

/** Client of one driver, for the services of this endpoint. Thread-safe; connects at the first call. */
public final class CsiClient implements AutoCloseable {
    private final CsiConnection connection;
    private final GatedCaller caller;
    private final IdentityCalls identity;
    private final ControllerCalls controller;
    private final GroupControllerCalls groups;
    private final SnapshotMetadataCalls metadata;
    private final NodeCalls node;

    /** Takes over the connection and closes it in {@link #close}. */
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
     * The driver's capabilities, from memory as long as that is safe.
     *
     * @throws CsiException if the driver must be asked and does not answer
     */
    public DriverCapabilities capabilities(CallContext context) {
        return caller.capabilities(context);
    }

    /** The last known capabilities of the driver. Makes no call, so it does not block. */
    public Optional<DriverCapabilities> lastKnownCapabilities() {
        return caller.lastKnown();
    }

    /** Grows when another process may answer the next call. A host's channel does not tell, so there it stays. Makes no call. */
    public long generation() {
        return caller.nextGeneration();
    }

    /** The name of the other end, for messages. */
    public String describe() {
        return connection.describe();
    }

    @Override
    public void close() {
        connection.close();
    }
}
