package io.volume4j.examples.agent;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.events.ClusterEvents;
import io.volume4j.core.explain.Health;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.csi.CsiRegistrar;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of one node: mounts the volumes of its pods and, as an option, creates the volumes that only the node can create. It
 * starts from its journal, also while the API server is down: then it tears nothing down, reports the mounts, and continues when
 * the server answers.
 */
final class NodeRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRole.class);

    private final String name;
    private final ScheduledExecutorService registering;
    private final NodeRegistration registration;
    private final ClusterEvents events;
    private final VolumeManager volumes;
    private final Runnable hide;
    private final @Nullable ExternalProvisioner provisioner;
    private final PluginRegistry plugins;
    private final Options options;
    private final NodeAnnouncer announcer;
    private final Supplier<Health> health;
    private @Nullable CsiRegistrar registrar;

    /** The interval at which the agent of Kubernetes reads usage and health. */
    private static final Duration WATCH = Duration.ofMinutes(1);

    /**
     * Options of this node.
     *
     * @param provision whether to create and delete the node's loop volumes
     * @param csiRegistration the directory for CSI drivers; null if there are none
     * @param soleMaintainer whether no other program maintains the node's object
     */
    record Options(
            AttachMode attachMode,
            boolean journalInMemory,
            boolean provision,
            @Nullable Path csiRegistration,
            Measured measured,
            Shown shown,
            boolean soleMaintainer) {
        /** Without CSI drivers and metrics. */
        Options(AttachMode attachMode, boolean journalInMemory, boolean provision) {
            this(attachMode, journalInMemory, provision, null, Measured.nowhere(), Shown.nowhere(), false);
        }
    }

    <C extends ClusterSource & ClusterWriter> NodeRole(C cluster, PluginRegistry plugins, Options options) {
        this.plugins = plugins;
        this.options = options;
        name = plugins.host().nodeName();
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "agent-register"));
        // Started now, because the machine may run out of threads later.
        timer.prestartCoreThread();
        registering = timer;
        List<Runnable> opened = new ArrayList<>(List.of(registering::shutdownNow));
        try {
            registration = new NodeRegistration(
                    cluster, cluster, name, registering, new Pauses(new SplittableRandom()), options.soleMaintainer());
            announcer = new NodeAnnouncer(cluster, null, registering, new Pauses(new SplittableRandom()));
            events = ClusterEvents.builder()
                    .cluster(cluster)
                    .reporter("volume4j.io/node", name)
                    .build();
            opened.add(events::close);
            VolumeManagerBuilder builder = VolumeManager.builder()
                    .cluster(cluster)
                    .clusterWriter(cluster)
                    .plugins(plugins)
                    .attachMode(options.attachMode())
                    .watchVolumes(WATCH)
                    .events(events)
                    .metrics(options.measured().sink())
                    .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()));
            Shown.Node node =
                    options.shown().node(name, options.journalInMemory() ? builder.journalInMemory() : builder);
            volumes = node.volumes();
            hide = node.hide();
            opened.add(hide);
            opened.add(volumes::close);
            health = volumes::health;
            provisioner = options.provision()
                    ? ExternalProvisioner.builder()
                            .cluster(cluster, cluster)
                            .plugin(LoopPlugin.NAME, plugins)
                            .events(events)
                            .metrics(options.measured().sink())
                            .build()
                    : null;
            // Last: a node that could not be built must not fail the process's checks.
            options.measured().checks().of(health);
        } catch (RuntimeException | Error failed) {
            // For instance there is no thread. A node with a lease tries again and again.
            opened.forEach(Runnable::run);
            throw failed;
        }
    }

    @Override
    public void start() {
        // Before the volumes: existing mounts may belong to running drivers.
        findDrivers();
        volumes.start();
        registration.start();
        if (provisioner != null) {
            provisioner.start();
        }
        LOG.atInfo().addKeyValue("role", "node").addKeyValue("name", name).log("node role started");
    }

    private void findDrivers() {
        if (options.csiRegistration() != null) {
            registrar = CsiDrivers.ofNode(
                    plugins,
                    options.csiRegistration(),
                    options.measured().checks().before(announcer));
        }
    }

    /**
     * Instead of {@link #start}: mounts the current volumes of the node's pods, and returns. The mounts stay.
     *
     * @throws io.volume4j.spi.VolumeException with the missing volumes of each pod
     */
    Map<String, MountedPod> runOnce(Duration timeout) {
        findDrivers();
        registration.start();
        return volumes.runOnce(timeout);
    }

    VolumeManager volumes() {
        return volumes;
    }

    @Override
    public List<String> close() {
        options.measured().checks().ended(health);
        hide.run();
        registering.shutdownNow();
        List<String> left = new ArrayList<>();
        if (provisioner != null) {
            left.addAll(provisioner.closeReportingLeft());
        }
        left.addAll(volumes.closeReportingLeft());
        if (registrar != null) {
            registrar.close();
        }
        events.close();
        return left;
    }
}
