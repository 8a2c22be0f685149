package io.volume4j.csi.testing;

import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.CsiPluginBuilder;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A scripted driver on a socket, a plugin for it, and a host with secrets and a machine in memory. */
public final class PluginHarness implements AutoCloseable {
    public static final String NODE_ID = "i-0815";

    private final Closing closing = new Closing();
    public final SocketDirectory directory = closing.later(new SocketDirectory());
    public final ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket()));
    public final Recording calls = new Recording(driver);
    public final InMemorySecrets secrets = new InMemorySecrets();
    public final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private UnaryOperator<CsiPluginBuilder> settings = builder -> builder;

    /** The driver can all that the schema knows, on a node with a place. */
    public PluginHarness() {
        Capabilities.all(driver);
        Capabilities.named(driver, Given.DRIVER, "1.0");
        calls.on(
                NodeGrpc.getNodeGetInfoMethod(),
                request -> NodeGetInfoResponse.newBuilder()
                        .setNodeId(NODE_ID)
                        .setMaxVolumesPerNode(8)
                        .setAccessibleTopology(Topology.newBuilder().putSegments("zone", "a"))
                        .build());
        machine.files().createRoot(Given.ROOT);
    }

    public PluginHarness services(PluginCapability.Service.Type... types) {
        Capabilities.services(driver, types);
        return this;
    }

    public PluginHarness controller(ControllerServiceCapability.RPC.Type... types) {
        Capabilities.controller(driver, types);
        return this;
    }

    public PluginHarness node(NodeServiceCapability.RPC.Type... types) {
        Capabilities.node(driver, types);
        return this;
    }

    /** Makes it a driver of CSI 1.12, which says how volumes are by their conditions. */
    public PluginHarness of112() {
        Capabilities.of112(driver);
        return this;
    }

    public PluginHarness with(UnaryOperator<CsiPluginBuilder> change) {
        settings = change;
        return this;
    }

    /** Connects; the driver is started by the first. */
    public CsiPlugin plugin() {
        if (driver.calls().isEmpty()) {
            driver.start();
        }
        CsiPlugin plugin = closing.later(settings.apply(CsiPlugin.at(new CsiEndpoint(directory.socket()))
                        .channelOptions(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))))
                .connect(Duration.ofSeconds(30)));
        plugin.init(InMemoryPluginHost.named(Given.NODE)
                .root(Given.ROOT)
                .mounts(machine)
                .secrets(secrets)
                .build());
        return plugin;
    }

    /** A secret whose values are recognised wherever they should not be. */
    public PluginHarness secret(io.volume4j.spi.model.SecretRef reference, String value) {
        secrets.put(reference, Map.of("password", value));
        return this;
    }

    public <T extends AutoCloseable> T later(T resource) {
        return closing.later(resource);
    }

    @Override
    public void close() {
        closing.close();
    }
}
