package io.volume4j.examples.quickstart;

import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiNodeObjects;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.CsiRegistrar;
import io.volume4j.csi.CsiRegistrarListener;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Registers the CSI drivers at the sockets that the user named, while they run. */
record CsiDrivers(@Nullable CsiRegistrar registrar) implements AutoCloseable {
    static CsiDrivers start(PluginRegistry plugins, List<CsiEndpoint> sockets, ClusterWriter cluster, Journey journey) {
        if (sockets.isEmpty()) {
            return new CsiDrivers(null);
        }
        CsiRegistrar.Builder builder = CsiRegistrar.builder(plugins).listener(new Told(cluster, journey));
        sockets.forEach(builder::endpoint);
        return new CsiDrivers(builder.start());
    }

    /** Prints what happens to the drivers, and writes what they report about the node to its CSINode, which the binder reads. */
    private record Told(ClusterWriter cluster, Journey journey) implements CsiRegistrarListener {
        @Override
        public void registered(CsiPlugin plugin) {
            journey.say("CSI driver " + plugin.name() + " is there; name it as the provisioner of a StorageClass");
        }

        @Override
        public void unregistered(String driver) {
            journey.say("CSI driver " + driver + " is gone; its volumes wait for it");
        }

        @Override
        public void failed(CsiEndpoint socket, String reason) {
            journey.failed(
                    "register", "CSI driver at " + socket + ": " + reason + "; tried again while the socket is there");
        }

        @Override
        public void nodeChanged(String driver, CsiNode node) {
            try {
                CsiNodeObjects.announce(cluster, driver, node);
            } catch (ClusterException refused) {
                journey.failed(
                        "register",
                        "CSI driver " + driver + ": its CSINode cannot be written: " + refused.getMessage());
            }
        }
    }

    @Override
    public void close() {
        if (registrar != null) {
            registrar.close();
        }
    }
}
