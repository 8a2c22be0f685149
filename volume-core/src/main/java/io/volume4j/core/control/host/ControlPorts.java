package io.volume4j.core.control.host;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.HostEars;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Everything that a controller touches of the outside.
 *
 * @param process different for every start of a controller
 * @param workers runs calls that may block
 */
public record ControlPorts(
        String process,
        ClusterSource source,
        ClusterWriter writer,
        PluginRegistry plugins,
        EventLoop loop,
        Executor workers,
        RandomGenerator random,
        LeaderEpoch leader,
        EventSink events,
        MetricsSink metrics) {
    /** What the host does with what it is told is its own affair. */
    public ControlPorts {
        events = HostEars.events(events);
        metrics = HostEars.metrics(metrics);
    }
}
