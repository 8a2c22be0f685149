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
 * How a driver is reached and used. Everything has a default. Not thread-safe; makes one plugin.
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

    /** Where the driver serves its controller, if that is another socket than the node's. */
    public CsiPluginBuilder controller(CsiEndpoint value) {
        controllerEndpoint = Objects.requireNonNull(value, "controller");
        return this;
    }

    /** The same over a channel of the host. */
    public CsiPluginBuilder controller(Channel value) {
        controllerChannel = Objects.requireNonNull(value, "controller");
        return this;
    }

    /** Threads shared with other plugins; by default the plugin has its own. Not closed with the plugin. */
    public CsiPluginBuilder transport(CsiTransport value) {
        transport = Objects.requireNonNull(value, "transport");
        return this;
    }

    /** How to talk over the sockets, where no {@link #transport} is shared. */
    public CsiPluginBuilder channelOptions(ChannelOptions value) {
        channelOptions = Objects.requireNonNull(value, "channelOptions");
        return this;
    }

    /** What the driver cannot say itself. */
    public CsiPluginBuilder policy(CsiDriverPolicy value) {
        policy = Objects.requireNonNull(value, "policy");
        return this;
    }

    /** What the driver calls the nodes of the cluster; by default only the node it runs on is known. */
    public CsiPluginBuilder nodes(CsiNodes value) {
        nodes = Objects.requireNonNull(value, "nodes");
        return this;
    }

    /** Where data sources and attribute classes of claims are found; nowhere by default. */
    public CsiPluginBuilder objects(CsiObjects value) {
        objects = Objects.requireNonNull(value, "objects");
        return this;
    }

    /** Calls the listener for each RPC. */
    public CsiPluginBuilder listener(CsiCallListener value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /**
     * How long one RPC may take at most. By default 15 seconds for questions to the driver, a minute for lists and
     * statistics, two for what changes something and ten for streams.
     *
     * @param rpc its name in the schema, such as {@code NodeStageVolume}
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

    /** Calls to the controller that may be under way together, over all volumes; 32 by default. */
    public CsiPluginBuilder maxControllerCalls(int value) {
        maxControllerCalls = positive("maxControllerCalls", value);
        return this;
    }

    /**
     * Attaches and detaches of one node that may be under way together; by default no fewer than of all. 1 for backends that
     * change a machine's devices one at a time and refuse the others meanwhile.
     */
    public CsiPluginBuilder maxControllerCallsPerNode(int value) {
        maxControllerCallsPerNode = positive("maxControllerCallsPerNode", value);
        return this;
    }

    /** Calls to the node that may be under way together, over all volumes; 16 by default. 1 for drivers that need it. */
    public CsiPluginBuilder maxNodeCalls(int value) {
        maxNodeCalls = positive("maxNodeCalls", value);
        return this;
    }

    /** Measures calls and how old a look at the socket is; for tests. By default the JVM's own. */
    public CsiPluginBuilder nanoClock(LongSupplier value) {
        nanoClock = Objects.requireNonNull(value, "nanoClock");
        return this;
    }

    /**
     * Connects and asks the driver who it is and what it can do.
     *
     * @throws VolumeException if it does not answer in time, or is not to be trusted
     */
    public CsiPlugin connect(Duration patience) {
        return connect(new Patience(patience, nanoClock));
    }

    /** The same within a call of its own. */
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
        } catch (RuntimeException e) {
            closeAll(closing);
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
