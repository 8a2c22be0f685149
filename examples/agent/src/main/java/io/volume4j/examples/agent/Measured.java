package io.volume4j.examples.agent;

import io.volume4j.spi.host.MetricsSink;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Where measurements go: to a server of theirs, if one is asked for. */
record Measured(MetricsSink sink) implements AutoCloseable {
    /** @param address where to serve them, null for nowhere */
    static Measured at(@Nullable InetSocketAddress address, PrintStream told) throws IOException {
        if (address == null) {
            return new Measured(MetricsSink.none());
        }
        Metrics metrics = new Metrics(address);
        told.println("metrics at http://" + metrics.address().getAddress().getHostAddress() + ":"
                + metrics.address().getPort() + "/metrics");
        return new Measured(metrics);
    }

    @Override
    public void close() {
        if (sink instanceof Metrics metrics) {
            metrics.close();
        }
    }
}
