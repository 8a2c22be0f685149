package io.volume4j.csi;

import io.grpc.Channel;
import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.client.Deadlines;
import io.volume4j.csi.internal.plugin.Driver;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.transport.CsiConnection;
import io.volume4j.csi.internal.transport.HostConnection;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link CsiPlugin}. Everything has a default. Builds only one plugin. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class CsiPluginBuilder {
    private final @Nullable CsiEndpoint endpoint;
    private final @Nullable Channel channel;
    private @Nullable CsiEndpoint controllerEndpoint;
    private @Nullable Channel controllerChannel;
    private @Nullable CsiTransport transport;
    private ChannelOptions channelOptions = ChannelOptions.defaults();
    private CsiDriverPolicy policy = CsiDriverPolicy.defaults();
    private CsiNodes nodes = CsiNodes.none();
    private CsiObjects objects = CsiObjects.none();
    private CsiCallListener listener = CsiCallListener.NONE;
    private Deadlines deadlines = Deadlines.defaults();
    private int maxControllerCalls = 32;
    private int maxControllerCallsPerNode = Integer.MAX_VALUE;
    private int maxNodeCalls = 16;
    private LongSupplier nanoClock = System::nanoTime;

    CsiPluginBuilder(@Nullable CsiEndpoint endpoint, @Nullable Channel channel) {
        this.endpoint = endpoint;
        this.channel = channel;
    }

    /** The socket of the driver's controller, if it is not the socket of its node service. */
    public CsiPluginBuilder controller(CsiEndpoint value) {
        controllerEndpoint = Objects.requireNonNull(value, "controller");
        return this;
    }

    /** The same with a channel of the host. */
    public CsiPluginBuilder controller(Channel value) {
        controllerChannel = Objects.requireNonNull(value, "controller");
        return this;
    }

    /** The threads, shared with other plugins. By default the plugin has its own. The plugin does not close them. */
    public CsiPluginBuilder transport(CsiTransport value) {
        transport = Objects.requireNonNull(value, "transport");
        return this;
    }

    /** The options of the connections, if there is no shared {@link #transport}. */
    public CsiPluginBuilder channelOptions(ChannelOptions value) {
        channelOptions = Objects.requireNonNull(value, "channelOptions");
        return this;
    }

    /** The host's settings for the driver. */
    public CsiPluginBuilder policy(CsiDriverPolicy value) {
        policy = Objects.requireNonNull(value, "policy");
        return this;
    }

    /**
     * The driver's ids of the cluster's nodes. By default the plugin knows only the node of the driver that it is
     * connected to.
     */
    public CsiPluginBuilder nodes(CsiNodes value) {
        nodes = Objects.requireNonNull(value, "nodes");
        return this;
    }

    /** Resolves data sources and attribute classes of claims. By default the plugin cannot resolve any. */
    public CsiPluginBuilder objects(CsiObjects value) {
        objects = Objects.requireNonNull(value, "objects");
        return this;
    }

    /** A listener for each RPC. */
    public CsiPluginBuilder listener(CsiCallListener value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /**
     * The deadline of an RPC. Defaults: 15 seconds for queries, one minute for lists and statistics, two minutes for
     * changes, and ten minutes for streams.
     * @param rpc its name in the CSI specification, such as {@code NodeStageVolume}
     * @throws IllegalArgumentException if CSI has no such RPC, or the time is not positive
     */
    public CsiPluginBuilder deadline(String rpc, Duration value) {
        Rpc known = Arrays.stream(Rpc.values())
                .filter(each -> each.label().equals(rpc))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("CSI has no RPC called " + rpc));
        deadlines = deadlines.with(known, value);
        return this;
    }

    /** The maximum number of concurrent calls to the controller, for all volumes together; 32 by default. */
    public CsiPluginBuilder maxControllerCalls(int value) {
        maxControllerCalls = positive("maxControllerCalls", value);
        return this;
    }

    /**
     * The maximum number of concurrent attach and detach calls for one node; by default only the limit for all nodes
     * applies. Use 1 for backends that change a machine's devices one at a time and refuse concurrent calls.
     */
    public CsiPluginBuilder maxControllerCallsPerNode(int value) {
        maxControllerCallsPerNode = positive("maxControllerCallsPerNode", value);
        return this;
    }

    /**
     * The maximum number of concurrent calls to the node service, for all volumes together; 16 by default. Use 1 for
     * drivers that do not support concurrent calls.
     */
    public CsiPluginBuilder maxNodeCalls(int value) {
        maxNodeCalls = positive("maxNodeCalls", value);
        return this;
    }

    /** The clock that measures calls and the age of checks of the socket; for tests. The JVM's clock by default. */
    public CsiPluginBuilder nanoClock(LongSupplier value) {
        nanoClock = Objects.requireNonNull(value, "nanoClock");
        return this;
    }

    /**
     * Connects, and reads the driver's identity and capabilities.
     * @throws VolumeException if the driver does not answer in time, or if its socket is not trusted
     */
    public CsiPlugin connect(Duration patience) {
        return connect(new Patience(patience, nanoClock));
    }

    /** The same with the deadline and cancellation of this context. */
    public CsiPlugin connect(CallContext context) {
        List<AutoCloseable> closing = new ArrayList<>();
        try {
            CsiClient node = client(endpoint, channel, closing);
            CsiClient controller = controllerEndpoint == null && controllerChannel == null
                    ? node
                    : client(controllerEndpoint, controllerChannel, closing);
            Driver driver = Driver.connect(
                    controller,
                    node,
                    new Driver.Settings(
                            policy, nodes, objects, maxControllerCalls, maxControllerCallsPerNode, maxNodeCalls),
                    context);
            return new CsiPlugin(driver, Math.max(maxControllerCalls, maxNodeCalls), closing);
        } catch (RuntimeException | Error e) {
            closeAll(closing);
            if (closing.contains(transport)) {
                // The next attempt needs another one.
                transport = null;
            }
            throw e;
        }
    }

    private CsiClient client(@Nullable CsiEndpoint socket, @Nullable Channel brought, List<AutoCloseable> closing) {
        CsiConnection connection = brought != null
                ? new HostConnection(brought)
                : new SocketConnection(
                        Objects.requireNonNull(socket, "endpoint"),
                        transport(closing).channels(),
                        nanoClock);
        CsiClient client = new CsiClient(connection, deadlines, new Reporting(listener, nanoClock));
        closing.add(client);
        return client;
    }

    private CsiTransport transport(List<AutoCloseable> closing) {
        CsiTransport shared = transport;
        if (shared == null) {
            shared = CsiTransport.create(channelOptions);
            transport = shared;
            closing.add(shared);
        }
        return shared;
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
        return value;
    }

    /** Connections before the threads that serve them. */
    static void closeAll(List<AutoCloseable> closing) {
        List<AutoCloseable> ordered = new ArrayList<>(closing);
        ordered.sort((left, right) -> Boolean.compare(left instanceof CsiTransport, right instanceof CsiTransport));
        for (AutoCloseable each : ordered) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("closing a connection does not fail", e);
            }
        }
    }
}
