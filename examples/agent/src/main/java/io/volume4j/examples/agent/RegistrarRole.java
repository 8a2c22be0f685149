package io.volume4j.examples.agent;

import io.volume4j.core.csinode.CsiNodeEntry;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiRegistrar;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the CSI drivers of one node to the cluster, and mounts nothing. */
final class RegistrarRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrarRole.class);

    private final String node;
    private final PluginRegistry plugins;
    private final Path directory;
    private final ScheduledExecutorService executor;
    private final NodeRegistration registration;
    private final NodeAnnouncer announcer;
    private @Nullable CsiRegistrar registrar;

    /** @param plugins the registry for the drivers of the node */
    <C extends ClusterSource & ClusterWriter> RegistrarRole(C cluster, PluginRegistry plugins, Path directory) {
        this.plugins = plugins;
        this.directory = directory;
        node = plugins.host().nodeName();
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "agent-register"));
        // Started now, because the machine may run out of threads later.
        timer.prestartCoreThread();
        executor = timer;
        registration =
                new NodeRegistration(cluster, cluster, node, executor, new Pauses(new SplittableRandom()), false);
        announcer = new NodeAnnouncer(
                cluster,
                new CsiNodeEntry(cluster, cluster, node, plugins.migration()),
                executor,
                new Pauses(new SplittableRandom()));
    }

    @Override
    public void start() {
        registration.start();
        registrar = CsiDrivers.ofNode(plugins, directory, announcer);
        LOG.atInfo()
                .addKeyValue("action", "start")
                .addKeyValue("role", "registrar")
                .addKeyValue("node", node)
                .log("started");
    }

    @Override
    public List<String> close() {
        executor.shutdownNow();
        if (registrar != null) {
            registrar.close();
        }
        return List.of();
    }
}
