package io.volume4j.examples.agent;

import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiRegistrar;
import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.agent.http.CachedLists;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.ui.LiveView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the control plane, or parts of it. */
@Command(
        name = "controllers",
        mixinStandardHelpOptions = true,
        description =
                "Binds claims, provisions, expands, protects and deletes volumes and snapshots, attaches volumes to nodes; runs until it"
                        + " is interrupted.")
final class ControllersCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ControllersCommand.class);

    private final Running running;

    @Option(
            names = "--csi",
            paramLabel = "DRIVER=unix:///PATH",
            description = "a CSI driver's controller socket; may be repeated")
    private List<String> csi = new ArrayList<>();

    @Option(
            names = "--only",
            paramLabel = "ROLE=DRIVER",
            description = {
                "one part alone, for one driver, beside Kubernetes' own controllers; may be repeated:",
                "provisioner  provisions and deletes its volumes",
                "attacher     executes its VolumeAttachments",
                "resizer      expands its volumes and changes their attributes",
                "snapshotter  creates and deletes its snapshots and group snapshots"
            })
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--take-over",
            description =
                    "with --only attacher: take over VolumeAttachments that controllers without --only executed; stop all of those"
                            + " before")
    private boolean takeOver;

    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE/NAME",
            converter = Words.LeaseName.class,
            description =
                    "the Lease with which several processes elect the one that works (kube-system/volume4j-controllers); with --only, each"
                            + " part has a Lease of its own: NAME-ROLE-DRIVER")
    private ObjectKey lease = ObjectKey.lease("kube-system", "volume4j-controllers");

    @Option(
            names = "--fencing",
            paramLabel = "leases|none",
            description =
                    "with --etcd: whether the end of a node's lease proves that it released its volumes, so that another node gets them"
                            + " (leases by default); a node without --node-lease proves nothing, and its volumes wait for it")
    private @Nullable Fencing fencing;

    /** The evidence with which volumes may be detached from a node. */
    enum Fencing {
        LEASES,
        NONE
    }

    @Option(
            names = "--scheduler",
            negatable = true,
            description = {
                "whether pods without a node get one where their volumes can be, and claims that wait for their first"
                        + " consumer get the node of their pod (on with --etcd, off with an API server, whose cluster"
                        + " has a scheduler: servers of Kubernetes let no pod's node be written); it looks at volumes and"
                        + " the number of pods alone"
            })
    private @Nullable Boolean scheduler;

    @Mixin
    private MetricsOption metrics = new MetricsOption();

    @Mixin
    private LiveOptions live = new LiveOptions();

    @Mixin
    private ServerOptions server = new ServerOptions();

    ControllersCommand(Running running) {
        this.running = running;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Part> parts = parts();
        Map<String, CsiEndpoint> drivers = CsiDrivers.endpoints(csi);
        for (Part part : parts) {
            if (!drivers.containsKey(part.driver()) && !Plugins.knows(part.driver())) {
                throw new Usage("--only " + part + ": this process knows no driver of that name; add --csi "
                        + part.driver() + "=unix:///PATH with the socket of its controller");
            }
        }
        if (takeOver && parts.stream().noneMatch(part -> part.role() == Part.Role.ATTACHER)) {
            throw new Usage("--take-over is for --only attacher=DRIVER; add that or leave it out");
        }
        if (scheduler != null && !parts.isEmpty()) {
            throw new Usage("--scheduler is for all controllers together; leave it or --only out");
        }
        if (fencing != null && !server.inEtcd()) {
            throw new Usage("--fencing is for a cluster in etcd, where nodes have leases; add --etcd or leave it out");
        }
        if (!parts.isEmpty()) {
            try (HostCluster cluster = server.cluster()) {
                run(
                        cluster,
                        drivers,
                        (plugins, measured, shown) ->
                                new PartsRole(cluster, plugins, parts, takeOver, lease, measured, shown));
            }
            return 0;
        }
        Fencing evidence = fencing == null ? Fencing.LEASES : fencing;
        try (ControlPlane plane = server.controlPlane(lease, evidence)) {
            boolean schedules = scheduler == null ? server.inEtcd() : scheduler;
            run(
                    plane.cluster(),
                    drivers,
                    (plugins, measured, shown) -> new ControllersRole(
                            plane.cluster(), plugins, plane.leadership(), schedules, measured, shown));
        }
        return 0;
    }

    /** Creates the role of a process. */
    private interface MakesRole {
        Role make(PluginRegistry plugins, Measured measured, Shown shown);
    }

    private void run(HostCluster cluster, Map<String, CsiEndpoint> drivers, MakesRole role)
            throws IOException, InterruptedException {
        try (CachedLists nodes = new CachedLists(cluster);
                Measured measured = metrics.serve(running.err())) {
            PluginRegistry plugins = Plugins.ofControlPlane(cluster);
            try (CsiRegistrar registrar =
                    CsiDrivers.ofControlPlane(plugins, drivers, cluster, nodes, measured.checks())) {
                LOG.atDebug()
                        .addKeyValue("action", "start")
                        .addKeyValue("registrar", registrar)
                        .log("CSI drivers");
                Optional<LiveView> view = live.view("controllers", cluster);
                Shown shown = new Shown(view.orElse(null));
                running.run(role.make(plugins, measured, shown), live, view);
            }
        }
    }

    /** The parts of the control plane that run separately; empty for all of it. */
    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        for (String text : only) {
            Part part = Part.parse(text);
            if (parts.contains(part)) {
                throw new Usage("--only " + part + " is given twice; leave one out");
            }
            parts.add(part);
        }
        return parts;
    }
}
