package io.volume4j.examples.agent;

import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.agent.store.Store;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The small commands of the program; the other commands have their own classes. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "volume4j for a cluster behind an API server, in Kubernetes' conventions. node, controllers, snapshot-metadata and"
                        + " store run until they are interrupted (SIGTERM, Ctrl-C), and log to standard error.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is done, or was asked to stop", "1:it failed", "2:the command line is wrong"})
final class AgentCommand {
    private final PrintStream out;
    private final PrintStream err;
    private final StopSignal stop;

    AgentCommand(PrintStream out, PrintStream err, StopSignal stop) {
        this.out = out;
        this.err = err;
        this.stop = stop;
    }

    @Command(
            name = "rbac",
            mixinStandardHelpOptions = true,
            description = "Prints the service account of a role and what it must be allowed, as manifests.")
    int rbac(
            @Parameters(
                            paramLabel = "ROLE",
                            description = "controllers, provisioner, attacher, resizer, snapshotter, metadata, node or"
                                    + " provisioning-node")
                    String role) {
        out.print(Permissions.of(role).manifests());
        return 0;
    }

    @Command(
            name = "store",
            mixinStandardHelpOptions = true,
            description =
                    "A double of an API server on loopback, to try the others on; for several machines take etcd or Kubernetes.")
    int store(
            @Option(
                            names = "--listen",
                            required = true,
                            paramLabel = "127.0.0.1:PORT",
                            converter = Words.Address.class,
                            description = "only this machine's loopback")
                    InetSocketAddress listen,
            @Option(
                            names = "--dir",
                            paramLabel = "DIR",
                            description = "where to keep the objects; otherwise they go with the process")
                    @Nullable
                    Path directory)
            throws IOException, InterruptedException {
        try (Store store = Store.start(
                listen, directory == null ? null : directory.toAbsolutePath().normalize())) {
            // a reader of the address may ask the store to end at once
            stop.heed();
            err.println("store at " + store.uri());
            stop.awaitAsked();
        }
        return 0;
    }

    @Command(name = "apply", mixinStandardHelpOptions = true, description = "Writes manifests to the API server.")
    int apply(
            @Option(names = "-f", required = true, paramLabel = "FILE", description = "manifests in YAML or JSON")
                    Path file,
            @Mixin ServerOptions server) {
        try (HostCluster cluster = server.cluster()) {
            Commands.apply(cluster, file, out);
        }
        return 0;
    }

    @Command(name = "get", mixinStandardHelpOptions = true, description = "Prints all objects of a kind.")
    int get(@Parameters(paramLabel = "KIND", description = "such as pods") String kind, @Mixin ServerOptions server) {
        try (HostCluster cluster = server.cluster()) {
            Commands.get(cluster, kind, out);
        }
        return 0;
    }

    @Command(name = "delete", mixinStandardHelpOptions = true, description = "Has an object deleted.")
    int delete(
            @Parameters(index = "0", paramLabel = "KIND", description = "such as pod") String kind,
            @Parameters(
                            index = "1",
                            paramLabel = "[NAMESPACE/]NAME",
                            description = "in the namespace default without one")
                    String name,
            @Mixin ServerOptions server) {
        try (HostCluster cluster = server.cluster()) {
            Commands.delete(cluster, kind, name, out);
        }
        return 0;
    }
}
