package io.volume4j.examples.agent;

import io.volume4j.spi.host.MetricsSink;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The receiver of metrics and the health checks of the process, with an HTTP server if the options ask for one. */
record Measured(MetricsSink sink, Checks checks) implements AutoCloseable {
    /** Drops all metrics, and has no server. */
    static Measured nowhere() {
        return new Measured(MetricsSink.none(), new Checks());
    }

    /** @param address of the server, null for none */
    static Measured at(@Nullable InetSocketAddress address, PrintStream told) throws IOException {
        if (address == null) {
            return nowhere();
        }
        Checks checks = new Checks();
        Metrics metrics = new Metrics(address, checks);
        told.println("metrics at " + Words.Address.http(metrics.address()).resolve("metrics"));
        return new Measured(metrics, checks);
    }

    @Override
    public void close() {
        if (sink instanceof Metrics metrics) {
            metrics.close();
        }
    }
}
