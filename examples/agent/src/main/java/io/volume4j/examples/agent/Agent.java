package io.volume4j.examples.agent;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.mount.MountBackend;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The program; {@code --help} tells what it does. */
public final class Agent {
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
            out.print(Arguments.USAGE);
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
            err.println("error: " + failed.getMessage() + (failed.advice().isEmpty() ? "" : " — " + failed.advice()));
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
                node(arguments(line, "--server", "--name", "--root", "--in-memory", "--provision", "--attach"));
            case "controllers" -> controllers(arguments(line, "--server", "--lease"));
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

    private void store(Arguments arguments) throws IOException, InterruptedException {
        try (Store store = Store.start(arguments.listen(), arguments.path("--dir"))) {
            err.println("store at " + store.uri());
            stop.awaitAsked();
        }
    }

    private void controllers(Arguments arguments) throws InterruptedException {
        try (HttpCluster cluster = arguments.cluster()) {
            run(new ControllersRole(cluster, Plugins.ofControlPlane(cluster), arguments.lease()));
        }
    }

    private void node(Arguments arguments) throws InterruptedException {
        String name = arguments.needed("--name");
        Path root = Path.of(arguments.needed("--root")).toAbsolutePath().normalize();
        boolean inMemory = arguments.has("--in-memory");
        try (HttpCluster cluster = arguments.cluster()) {
            if (inMemory) {
                MountBackend machine = InMemoryMountBackend.create();
                machine.files().createRoot(root);
                node(cluster, Plugins.ofNode(machine, root, name, cluster), arguments);
            } else {
                try (LinuxMountBackend machine = LinuxMountBackend.create()) {
                    machine.files().createRoot(root);
                    node(cluster, Plugins.ofNode(machine, root, name, cluster), arguments);
                }
            }
        }
    }

    private void node(HttpCluster cluster, PluginRegistry plugins, Arguments arguments) throws InterruptedException {
        NodeRole.Options options = new NodeRole.Options(
                arguments.attachMode(), arguments.has("--in-memory"), arguments.has("--provision"));
        run(new NodeRole(cluster, plugins, options));
    }

    private void run(Role role) throws InterruptedException {
        try {
            role.start();
            stop.awaitAsked();
        } finally {
            role.close().forEach(call -> err.println("did not end: " + call));
        }
    }
}
