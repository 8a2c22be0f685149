package io.volume4j.core.control.host;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The options of a controller.
 * @param clusterDeadline deadline of a read or write of the cluster
 * @param pluginDeadline deadline of a call to a plugin; shorter if the lease ends before
 * @param clusterCalls maximum number of concurrent calls to the cluster
 * @param classLimits maximum number of concurrent calls for each class, within the limit of its plugin; for other
 *     classes only the plugin's limit applies
 * @param resyncPerSecond objects that the resync visits each second; 0 for none
 */
public record ControlOptions(
        Duration clusterDeadline,
        Duration pluginDeadline,
        int clusterCalls,
        Map<String, Integer> classLimits,
        Backoff backoff,
        OperationExecutor.Limits limits,
        int resyncPerSecond) {
    public ControlOptions {
        classLimits = Collections.unmodifiableMap(new LinkedHashMap<>(classLimits));
    }

    /**
     * The defaults: 30 s for the cluster, 2 min for plugins, 16 concurrent calls to the cluster, at most 512
     * concurrent calls.
     */
    public static ControlOptions standard() {
        return new ControlOptions(
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                16,
                Map.of(),
                Backoff.standard(),
                new OperationExecutor.Limits(512, 128, 512),
                100);
    }

    /** In the engine's type. */
    public static Backoff backoff(RetryBackoff given) {
        return new Backoff(given.initial(), given.longest(), given.infeasible());
    }

    /** In the engine's type. */
    public static OperationExecutor.Limits limits(OperationLimits given) {
        return new OperationExecutor.Limits(given.running(), given.writtenOffPerPlugin(), given.writtenOff());
    }

    /** In the type for hosts. */
    public static OperationLimits publicLimits(OperationExecutor.Limits limits) {
        return new OperationLimits(limits.running(), limits.writtenOffPerLane(), limits.writtenOff());
    }

    /** In the type for hosts. */
    public OperationLimits publicLimits() {
        return publicLimits(limits);
    }
}
