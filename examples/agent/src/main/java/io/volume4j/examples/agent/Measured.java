package io.volume4j.examples.agent;

import io.volume4j.spi.host.MetricsSink;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Where measurements go, and who answers for the process: a server of theirs, if one is asked for. */
record Measured(MetricsSink sink, Checks checks) implements AutoCloseable {
    /** Measures nothing and answers no one. */
    static Measured nowhere() {
        return new Measured(MetricsSink.none(), new Checks());
    }

    /** @param address where to serve both, null for nowhere */
    static Measured at(@Nullable InetSocketAddress address, PrintStream told) throws IOException {
        if (address == null) {
            return nowhere();
        }
        Checks checks = new Checks();
        Metrics metrics = new Metrics(address, checks);
        told.println("metrics at http://" + metrics.address().getAddress().getHostAddress() + ":"
                + metrics.address().getPort() + "/metrics");
        return new Measured(metrics, checks);
    }

    @Override
    public void close() {
        if (sink instanceof Metrics metrics) {
            metrics.close();
        }
    }
}
