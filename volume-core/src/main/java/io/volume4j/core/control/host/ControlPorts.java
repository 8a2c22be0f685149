package io.volume4j.core.control.host;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.Discretion;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.GuardedListeners;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * All external dependencies of a controller.
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
    /** A failing sink of the host must not disturb the controller. */
    public ControlPorts {
        events = GuardedListeners.events(events);
        metrics = GuardedListeners.metrics(metrics);
    }

    /** A cache of the cluster's objects, owned by the loop. It reads nothing before it is started. */
    public ObjectCache cache(Map<Kind, Selection> kinds, Backoff backoff) {
        return new ObjectCache(
                source,
                kinds,
                new CachePorts(
                        loop,
                        workers,
                        loop::schedule,
                        failures -> backoff.forLists().delay(failures, FailureKind.TRANSIENT, random)));
    }

    /** Runs calls on the workers, and protects the secrets that plugins get in calls. */
    public OperationExecutor executor(OperationExecutor.Limits limits) {
        return new OperationExecutor(
                loop, workers, limits, new Discretion(plugins::confidentially, plugins::withoutSecrets));
    }
}
