package io.volume4j.examples.agent;

import io.volume4j.core.control.SnapshotBlocks;
import io.volume4j.core.explain.Health;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiRegistrar;
import io.volume4j.csi.SnapshotMetadataServer;
import io.volume4j.examples.agent.http.CachedLists;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.commandline.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves the changed blocks of snapshots to backup programs. */
@Command(
        name = "snapshot-metadata",
        mixinStandardHelpOptions = true,
        description =
                "Tells backup programs which blocks of VolumeSnapshots hold data and which changed (KEP-3314), in place of"
                        + " csi-snapshot-metadata; runs until it is interrupted.")
final class SnapshotMetadataCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotMetadataCommand.class);

    private final Running running;

    @Option(
            names = "--csi",
            required = true,
            paramLabel = "DRIVER=unix:///PATH",
            description = "a CSI driver's controller socket; may be repeated")
    private List<String> csi = List.of();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            converter = Words.Address.class,
            description = "where backup programs ask (0.0.0.0:50051)")
    private InetSocketAddress listen = new InetSocketAddress(50051);

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "the service's certificate with its chain (PEM)")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "its private key (PEM); both are read anew each minute")
    private @Nullable Path key;

    @Option(
            names = "--plaintext",
            description = "without TLS, on a loopback address, for a proxy of this pod that does it")
    private boolean plaintext;

    @Option(
            names = "--audience",
            required = true,
            paramLabel = "WORD",
            description = "what tokens must be made for: spec.audience of the SnapshotMetadataService object")
    private String audience = "";

    @Mixin
    private MetricsOption metrics = new MetricsOption();

    @Mixin
    private ServerOptions server = new ServerOptions();

    SnapshotMetadataCommand(Running running) {
        this.running = running;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (plaintext == (certificate != null) || (certificate == null) != (key == null)) {
            throw new Usage("needs --tls-cert and --tls-key, or --plaintext with a loopback address for --listen");
        }
        if (audience.isBlank()) {
            throw new Usage("--audience must not be empty: any token of the cluster would do");
        }
        Map<String, CsiEndpoint> drivers = CsiDrivers.endpoints(csi);
        try (HttpCluster cluster = server.apiServer();
                CachedLists nodes = new CachedLists(cluster);
                Measured measured = metrics.serve(running.err())) {
            PluginRegistry plugins = Plugins.ofControlPlane(cluster);
            try (CsiRegistrar registrar =
                    CsiDrivers.ofControlPlane(plugins, drivers, cluster, nodes, measured.checks())) {
                LOG.atDebug()
                        .addKeyValue("action", "start")
                        .addKeyValue("registrar", registrar)
                        .log("CSI drivers");
                running.run(new Serving(
                        SnapshotMetadataServer.builder(
                                new SnapshotBlocks(cluster, plugins), cluster.snapshotAccess(audience)),
                        measured.checks()));
            }
        } catch (IllegalArgumentException wrong) {
            throw new Usage(String.valueOf(wrong.getMessage()));
        }
        return 0;
    }

    /** The service during the life of the process. */
    private final class Serving implements Role {
        private final SnapshotMetadataServer.Builder builder;
        private final Checks checks;
        private @Nullable SnapshotMetadataServer serving;

        Serving(SnapshotMetadataServer.Builder builder, Checks checks) {
            this.builder = builder;
            this.checks = checks;
        }

        @Override
        public void start() {
            builder.address(listen);
            if (certificate != null && key != null) {
                builder.tls(certificate, key);
            } else {
                builder.plaintextOnLoopback();
            }
            try {
                SnapshotMetadataServer started = builder.start();
                serving = started;
                checks.of(Health::working);
                running.err()
                        .println("snapshot metadata at "
                                + started.address().getAddress().getHostAddress() + ":"
                                + started.address().getPort());
            } catch (IOException failed) {
                throw new UncheckedIOException(
                        "cannot serve at " + listen.getHostString() + ":" + listen.getPort() + ": "
                                + failed.getMessage(),
                        failed);
            }
        }

        @Override
        public List<String> close() {
            if (serving != null) {
                serving.close();
            }
            return List.of();
        }
    }
}
