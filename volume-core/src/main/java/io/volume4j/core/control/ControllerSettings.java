package io.volume4j.core.control;

import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The host's settings for any controller.
 *
 * @param workers null for daemon threads that the controller creates as needed
 */
record ControllerSettings(
        ClusterSource source,
        ClusterWriter writer,
        PluginRegistry plugins,
        @Nullable Executor workers,
        LeaderEpoch leader,
        EventSink events,
        MetricsSink metrics,
        Instrumentation instrumentation,
        Consumer<ObjectTransition> listener,
        Duration clusterDeadline,
        Duration pluginDeadline,
        RetryBackoff backoff,
        OperationLimits limits,
        Duration closeTimeout) {
    /** A copy of the options with these deadlines, limits and back-off. */
    AttachOptions attachOptions(AttachOptions given) {
        return given.withClusterDeadline(clusterDeadline)
                .withDriverDeadline(pluginDeadline)
                .withBackoff(backoff)
                .withLimits(limits);
    }

    /** The options of a controller of claims and volumes with these settings, and with a limit for each of the classes. */
    ControlOptions options(Map<String, Integer> classLimits) {
        ControlOptions standard = ControlOptions.standard();
        return new ControlOptions(
                clusterDeadline,
                pluginDeadline,
                standard.clusterCalls(),
                classLimits,
                ControlOptions.backoff(backoff),
                ControlOptions.limits(limits),
                standard.resyncPerSecond());
    }
}
