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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Registers the CSI drivers at the sockets that the user named, while they run. */
final class CsiDrivers implements AutoCloseable {
    private final @Nullable CsiRegistrar registrar;
    private final Told told;

    private CsiDrivers(@Nullable CsiRegistrar registrar, Told told) {
        this.registrar = registrar;
        this.told = told;
    }

    static CsiDrivers start(PluginRegistry plugins, List<CsiEndpoint> sockets, ClusterWriter cluster, Journey journey) {
        Told told = new Told(sockets.size(), cluster, journey);
        if (sockets.isEmpty()) {
            return new CsiDrivers(null, told);
        }
        CsiRegistrar.Builder builder = CsiRegistrar.builder(plugins).listener(told);
        sockets.forEach(builder::endpoint);
        return new CsiDrivers(builder.start(), told);
    }

    /** Completes when it is known of each socket whether a driver answers there, with those at which none does. */
    CompletableFuture<List<CsiEndpoint>> silent() {
        return told.heard.thenApply(heard -> told.silent());
    }

    /** Prints what happens to the drivers, and writes what they report about the node to its CSINode, which the binder reads. */
    private static final class Told implements CsiRegistrarListener {
        private final int sockets;
        private final ClusterWriter cluster;
        private final Journey journey;
        private final Set<String> registered = ConcurrentHashMap.newKeySet();
        private final Set<CsiEndpoint> failed = ConcurrentHashMap.newKeySet();
        private final CompletableFuture<Boolean> heard = new CompletableFuture<>();

        Told(int sockets, ClusterWriter cluster, Journey journey) {
            this.sockets = sockets;
            this.cluster = cluster;
            this.journey = journey;
            heard();
        }

        private void heard() {
            if (registered.size() + failed.size() >= sockets) {
                heard.complete(true);
            }
        }

        /** A socket may have failed at first; not so if there are as many drivers as sockets. */
        private List<CsiEndpoint> silent() {
            return registered.size() >= sockets ? List.of() : List.copyOf(failed);
        }

        @Override
        public void registered(CsiPlugin plugin) {
            journey.say("CSI driver " + plugin.name() + " is there; name it as the provisioner of a StorageClass");
            registered.add(plugin.name());
            heard();
        }

        @Override
        public void unregistered(String driver) {
            journey.say("CSI driver " + driver + " is gone; its volumes wait for it");
        }

        @Override
        public void failed(CsiEndpoint socket, String reason) {
            journey.failed(
                    "register", "CSI driver at " + socket + ": " + reason + "; tried again while the socket is there");
            failed.add(socket);
            heard();
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
