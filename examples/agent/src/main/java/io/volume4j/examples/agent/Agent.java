package io.volume4j.examples.agent;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiRegistrar;
import io.volume4j.examples.agent.http.CachedLists;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.mount.MountBackend;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program; {@code --help} tells what it does. */
public final class Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    private static final Duration CLOSING = Duration.ofSeconds(20);

    private final PrintStream out;
    private final PrintStream err;
    private final StopSignal stop;

    private Agent(PrintStream out, PrintStream err, StopSignal stop) {
        this.out = out;
        this.err = err;
        this.stop = stop;
    }

    public static void main(String[] words) {
        StopSignal stop = new StopSignal();
        Thread main = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stop.ask();
                            stop.holdBack(main, CLOSING);
                        },
                        "agent-stop"));
        int code = run(words, System.out, System.err, stop);
        System.out.flush();
        // Ends the hook as well: one that ended by itself would let the signal say how the process ended.
        Runtime.getRuntime().halt(code);
    }

    /** The program without its process; the exit code. */
    static int run(String[] words, PrintStream out, PrintStream err, StopSignal stop) {
        List<String> line = Arrays.asList(words);
        if (line.contains("--help") || line.contains("-h")) {
            out.print(Help.TEXT);
            return 0;
        }
        try {
            if (line.isEmpty()) {
                throw new Usage("needs a command; --help lists them");
            }
            new Agent(out, err, stop).command(line.get(0), line.subList(1, line.size()));
            return 0;
        } catch (Usage | ManifestException wrong) {
            err.println("error: " + wrong.getMessage());
            return 2;
        } catch (VolumeException failed) {
            err.println("error: " + failed.getMessage());
            return 1;
        } catch (ClusterException | IOException failed) {
            err.println("error: " + failed.getMessage());
            return 1;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private void command(String command, List<String> line) throws IOException, InterruptedException {
        switch (command) {
            case "node" ->
                node(arguments(
                        line,
                        "--server",
                        "--name",
                        "--root",
                        "--in-memory",
                        "--provision",
                        "--attach",
                        "--csi-registration",
                        "--once",
                        "--timeout",
                        "--only",
                        "--metrics"));
            case "controllers" -> controllers(arguments(line, "--server", "--lease", "--only", "--csi", "--metrics"));
            case "rbac" -> rbac(arguments(line));
            case "store" -> store(arguments(line, "--listen", "--dir"));
            case "apply", "get", "delete" -> ask(command, arguments(line, "--server", "-f"));
            default -> throw new Usage("unknown command " + command + "; --help lists the known ones");
        }
    }

    private static Arguments arguments(List<String> line, String... known) {
        return new Arguments(line, Set.of(known));
    }

    private void ask(String command, Arguments arguments) {
        try (HttpCluster cluster = arguments.cluster()) {
            switch (command) {
                case "apply" -> Commands.apply(cluster, Path.of(arguments.needed("-f")), out);
                case "get" -> Commands.get(cluster, arguments.words(1, "a kind").get(0), out);
                default -> {
                    List<String> object = arguments.words(2, "a kind and a name");
                    Commands.delete(cluster, object.get(0), object.get(1), out);
                }
            }
        }
    }

    /** Prints what the API server must allow a role, as manifests. */
    private void rbac(Arguments arguments) {
        String role = arguments.words(1, "a role: " + Permissions.words()).get(0);
        out.print(Permissions.of(role).manifests());
    }

    private void store(Arguments arguments) throws IOException, InterruptedException {
        try (Store store = Store.start(arguments.address("--listen"), arguments.path("--dir"))) {
            err.println("store at " + store.uri());
            stop.awaitAsked();
        }
    }

    private void controllers(Arguments arguments) throws IOException, InterruptedException {
        List<Part> parts = arguments.parts();
        Map<String, CsiEndpoint> drivers = arguments.csi();
        for (Part part : parts) {
            if (!drivers.containsKey(part.driver()) && !Plugins.knows(part.driver())) {
                throw new Usage("--only " + part + ": this process knows no driver of that name; add --csi "
                        + part.driver() + "=unix:///PATH with the socket of its controller");
            }
        }
        try (HttpCluster cluster = arguments.cluster();
                CachedLists nodes = new CachedLists(cluster);
                Measured measured = measured(arguments)) {
            PluginRegistry plugins = Plugins.ofControlPlane(cluster);
            try (CsiRegistrar registrar = CsiDrivers.ofControlPlane(plugins, drivers, cluster, nodes)) {
                LOG.atDebug()
                        .addKeyValue("action", "start")
                        .addKeyValue("registrar", registrar)
                        .log("CSI drivers");
                run(
                        parts.isEmpty()
                                ? new ControllersRole(cluster, plugins, arguments.lease(), measured.sink())
                                : new PartsRole(cluster, plugins, parts, arguments.lease(), measured.sink()));
            }
        }
    }

    /** Where measurements go: to a server of theirs, if one is asked for. */
    private record Measured(MetricsSink sink) implements AutoCloseable {
        @Override
        public void close() {
            if (sink instanceof Metrics metrics) {
                metrics.close();
            }
        }
    }

    private Measured measured(Arguments arguments) throws IOException {
        if (!arguments.has("--metrics")) {
            return new Measured(MetricsSink.none());
        }
        Metrics metrics = new Metrics(arguments.address("--metrics"));
        err.println("metrics at http://" + metrics.address().getAddress().getHostAddress() + ":"
                + metrics.address().getPort() + "/metrics");
        return new Measured(metrics);
    }

    private void node(Arguments arguments) throws IOException, InterruptedException {
        String name = arguments.needed("--name");
        if (arguments.registrarOnly()) {
            Path directory = Path.of(arguments.needed("--csi-registration"))
                    .toAbsolutePath()
                    .normalize();
            try (HttpCluster cluster = arguments.cluster()) {
                PluginRegistry plugins = Plugins.ofRegistrar(directory, name);
                run(new RegistrarRole(cluster, plugins, directory));
            }
            return;
        }
        Path root = Path.of(arguments.needed("--root")).toAbsolutePath().normalize();
        try (HttpCluster cluster = arguments.cluster();
                Measured measured = measured(arguments)) {
            if (arguments.has("--in-memory")) {
                MountBackend machine = InMemoryMountBackend.create();
                machine.files().createRoot(root);
                node(cluster, Plugins.ofNode(machine, root, name, cluster), arguments, measured.sink());
            } else {
                try (LinuxMountBackend machine = LinuxMountBackend.create()) {
                    machine.files().createRoot(root);
                    node(cluster, Plugins.ofNode(machine, root, name, cluster), arguments, measured.sink());
                }
            }
        }
    }

    private void node(HttpCluster cluster, PluginRegistry plugins, Arguments arguments, MetricsSink metrics)
            throws InterruptedException {
        NodeRole role = new NodeRole(
                cluster,
                plugins,
                new NodeRole.Options(
                        arguments.attachMode(),
                        arguments.has("--in-memory"),
                        arguments.has("--provision"),
                        arguments.path("--csi-registration"),
                        metrics));
        if (!arguments.has("--once")) {
            run(role);
            return;
        }
        try {
            role.runOnce(arguments.timeout())
                    .forEach((uid, pod) -> pod.volumes()
                            .forEach((volume, mounted) -> out.println(uid + " " + volume + " " + mounted.path())));
        } finally {
            close(role);
        }
    }

    private void run(Role role) throws InterruptedException {
        try {
            role.start();
            stop.awaitAsked();
        } finally {
            close(role);
        }
    }

    private void close(Role role) {
        role.close().forEach(call -> err.println("did not end: " + call));
    }
}
