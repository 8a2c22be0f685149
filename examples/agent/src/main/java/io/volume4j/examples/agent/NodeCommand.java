package io.volume4j.examples.agent;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.HostPathPlugin;
import io.volume4j.core.plugins.ImagePlugin;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.agent.machine.RootHold;
import io.volume4j.examples.agent.machine.VolumeUsers;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.ui.LiveView;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the agent of one node. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        description = "Mounts volumes for the pods of one node; runs until it is interrupted.")
final class NodeCommand implements Callable<Integer> {
    private final Running running;
    private final PrintStream out;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            converter = Words.NodeName.class,
            required = true,
            description = "the node's name; the agent creates the node's object if it does not exist")
    private String name = "";

    @Option(names = "--root", paramLabel = "DIR", description = "the directory for volumes and mounts")
    private @Nullable Path root;

    @Option(
            names = "--attach",
            paramLabel = "self|controller",
            description =
                    "which side attaches volumes to this node (${DEFAULT-VALUE}); controller also for Kubernetes' own attach-detach"
                            + " controller")
    private AttachMode attach = AttachMode.SELF;

    @Option(
            names = "--csi-registration",
            paramLabel = "DIR",
            description =
                    "the directory where CSI drivers announce themselves, as kubelet's plugins_registry; the agent creates it only if"
                            + " its parent exists")
    private @Nullable Path registration;

    @Option(
            names = "--provision",
            description =
                    "also provision and delete this node's loop volumes (loop.volume4j.io); needs the permissions of provisioning-node")
    private boolean provision;

    @Option(
            names = "--images",
            paramLabel = "DIR",
            description =
                    "container images that pods show as volumes lie here, each in a directory of its reference; without it the"
                            + " container runtime mounts images")
    private @Nullable Path images;

    @Option(
            names = "--host-path",
            paramLabel = "PATH",
            description =
                    "permit hostPath volumes only at this path of the machine and below it; give it once for each path. Without it,"
                            + " pods may have any path of the machine")
    private List<Path> hostPaths = new ArrayList<>();

    @Option(names = "--in-memory", description = "change nothing on this machine: use an in-memory one")
    private boolean inMemory;

    @Option(names = "--once", description = "mount what this node's pods want now, print it, leave it mounted and end")
    private boolean once;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Words.Seconds.class,
            defaultValue = "120",
            description = "how long --once waits (${DEFAULT-VALUE})")
    private int timeout;

    @Option(
            names = "--only",
            paramLabel = "registrar",
            description = "register this node's CSI drivers in the cluster and mount nothing; needs no --root")
    private List<String> only = new ArrayList<>();

    @Mixin
    private MetricsOption metrics = new MetricsOption();

    @Mixin
    private LeaseOptions lease = new LeaseOptions();

    @Mixin
    private LiveOptions live = new LiveOptions();

    @Mixin
    private ServerOptions server = new ServerOptions();

    NodeCommand(Running running, PrintStream out) {
        this.running = running;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (registrarOnly()) {
            Path drivers = absolute("--csi-registration", registration);
            RegistrationDirectory.require(drivers);
            runRegistrar(drivers);
            return 0;
        }
        Path where = absolute("--root", root);
        if (where.getParent() == null) {
            throw new Usage("--root is a directory for this node alone, such as /var/lib/volume4j, not " + where);
        }
        try (HostCluster cluster = server.cluster();
                Measured measured = metrics.serve(running.err())) {
            if (inMemory) {
                run(cluster, InMemoryMountBackend.create(), where, measured);
            } else {
                try (LinuxMountBackend machine = LinuxMountBackend.create()) {
                    run(cluster, machine, where, measured);
                }
            }
        }
        return 0;
    }

    /** Whether the node only reports its CSI drivers. */
    private boolean registrarOnly() {
        for (String part : only) {
            if (!part.equals("registrar")) {
                throw new Usage("a node has one part that runs alone, --only registrar, not " + part
                        + "; the others are for the command controllers");
            }
        }
        return !only.isEmpty();
    }

    private void runRegistrar(Path directory) throws InterruptedException {
        try (HostCluster cluster = server.cluster()) {
            running.run(new RegistrarRole(cluster, Plugins.ofRegistrar(directory, name), directory));
        }
    }

    private void run(HostCluster cluster, MountBackend machine, Path where, Measured measured)
            throws InterruptedException {
        lease.check(cluster, attach, once);
        // before the root is made: what is asked wrongly changes nothing
        Optional<LiveView> view = live.view(name, cluster);
        Path drivers = registration == null ? null : absolute("--csi-registration", registration);
        boolean inRoot = drivers != null && drivers.startsWith(where);
        if (drivers != null && !inRoot) {
            RegistrationDirectory.require(drivers);
        }
        machine.files().createRoot(where);
        if (drivers != null && inRoot) {
            RegistrationDirectory.require(drivers);
        }
        Supplier<NodeRole> lives = () -> new NodeRole(
                cluster,
                Plugins.ofNode(machine, where, name, cluster, imagePlugin(), hostPathPlugin()),
                new NodeRole.Options(
                        attach,
                        inMemory,
                        provision,
                        drivers,
                        measured,
                        new Shown(view.orElse(null)),
                        cluster instanceof EtcdHost));
        if (!(cluster instanceof EtcdHost etcd)) {
            run(lives, view);
        } else if (inMemory) {
            runInEtcd(etcd, where, lives, measured.checks(), view);
        } else {
            RootHold held = RootHold.of(where);
            try {
                runInEtcd(etcd, where, lives, measured.checks(), view);
            } finally {
                held.close();
            }
        }
    }

    private void runInEtcd(EtcdHost etcd, Path where, Supplier<NodeRole> lives, Checks checks, Optional<LiveView> view)
            throws InterruptedException {
        if (lease.given()) {
            runLeased(etcd, where, lives, checks, view);
        } else if (forgetsLease(etcd, where, checks)) {
            run(lives, view);
        }
    }

    private void run(Supplier<NodeRole> lives, Optional<LiveView> view) throws InterruptedException {
        NodeRole role = lives.get();
        if (!once) {
            running.run(role, live, view);
            return;
        }
        try {
            role.runOnce(Duration.ofSeconds(timeout))
                    .forEach((uid, pod) -> pod.volumes()
                            .forEach((volume, mounted) -> out.println(uid + " " + volume + " " + mounted.path())));
        } finally {
            running.close(role);
        }
    }

    /**
     * Before anything is mounted: this agent does not fence itself, even if an earlier one did. False if the program was asked to stop
     * before etcd answered.
     */
    private boolean forgetsLease(EtcdHost etcd, Path where, Checks checks) throws InterruptedException {
        return new UntilAnswered(running.stop(), checks, new Pauses(new SplittableRandom()), System::nanoTime)
                .call(
                        "forget an earlier lease of node " + name,
                        () -> lease.forget(etcd, name, where),
                        once ? Duration.ofSeconds(timeout) : null);
    }

    private void runLeased(EtcdHost etcd, Path where, Supplier<NodeRole> lives, Checks checks, Optional<LiveView> view)
            throws InterruptedException {
        LeasedNode node = new LeasedNode(
                makes -> lease.fencing(etcd, name, where, makes),
                lives,
                inMemory ? null : new VolumeUsers(where, lease.grace()),
                checks,
                running.stop()::ask);
        if (!lease.guarded()) {
            running.err()
                    .println(
                            "no --watchdog: if this node cannot report that it unmounted, its volumes wait for the node or for a person");
        }
        running.run(node, live, view);
        node.requireBegun();
    }

    /** One for each life of the node: a plugin belongs to one registry. */
    private ImagePlugin imagePlugin() {
        return images == null ? new ImagePlugin() : ImagePlugin.ofDirectory(absolute("--images", images));
    }

    private HostPathPlugin hostPathPlugin() {
        return new HostPathPlugin(
                hostPaths.stream().map(path -> absolute("--host-path", path)).toList());
    }

    private static Path absolute(String option, @Nullable Path path) {
        if (path == null) {
            throw new Usage("needs " + option);
        }
        if (path.toString().isEmpty()) {
            throw new Usage(option + " is empty: name a directory");
        }
        return path.toAbsolutePath().normalize();
    }
}
