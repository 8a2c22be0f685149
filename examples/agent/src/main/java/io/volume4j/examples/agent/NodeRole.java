package io.volume4j.examples.agent;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.events.ClusterEvents;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of one node: mounts what its pods want and, if it is asked to, makes the volumes that only it can make. It starts from
 * its journal, also while the API server is away: it tears nothing down, tells what is mounted, and goes on once the server
 * answers.
 */
final class NodeRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRole.class);

    private final String name;
    private final ScheduledExecutorService registering;
    private final NodeRegistration registration;
    private final ClusterEvents events;
    private final VolumeManager volumes;
    private final @Nullable ExternalProvisioner provisioner;

    /** How this node is run. */
    record Options(AttachMode attachMode, boolean journalInMemory, boolean provision) {}

    <C extends ClusterSource & ClusterWriter> NodeRole(C cluster, PluginRegistry plugins, Options options) {
        name = plugins.host().nodeName();
        registering = Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "agent-register"));
        registration = new NodeRegistration(cluster, cluster, name, registering);
        events = ClusterEvents.builder()
                .cluster(cluster)
                .reporter("volume4j.io/node", name)
                .build();
        VolumeManagerBuilder builder = VolumeManager.builder()
                .cluster(cluster)
                .clusterWriter(cluster)
                .plugins(plugins)
                .attachMode(options.attachMode())
                .events(events)
                .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()));
        volumes = (options.journalInMemory() ? builder.journalInMemory() : builder).build();
        provisioner = options.provision()
                ? ExternalProvisioner.builder()
                        .cluster(cluster, cluster)
                        .plugin(LoopPlugin.NAME, plugins)
                        .events(events)
                        .build()
                : null;
    }

    @Override
    public void start() {
        volumes.start();
        registration.start();
        if (provisioner != null) {
            provisioner.start();
        }
        LOG.info("action=start role=node name={}", name);
    }

    VolumeManager volumes() {
        return volumes;
    }

    @Override
    public List<String> close() {
        registering.shutdownNow();
        List<String> left = new ArrayList<>();
        if (provisioner != null) {
            left.addAll(provisioner.closeReportingLeft());
        }
        left.addAll(volumes.closeReportingLeft());
        events.close();
        return left;
    }
}
