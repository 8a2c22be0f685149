package io.volume4j.examples.agent;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a process serves its metrics and health checks. */
final class MetricsOption {
    @Option(
            names = "--metrics",
            paramLabel = "127.0.0.1:PORT",
            converter = Words.Address.class,
            description = "serve /metrics there, as Prometheus reads them, and /healthz, /readyz, /healthz/csi/DRIVER")
    private @Nullable InetSocketAddress address;

    /** Serves from now on; nothing without the option. */
    Measured serve(PrintStream told) throws IOException {
        return Measured.at(address, told);
    }
}
