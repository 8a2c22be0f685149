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
 * How a controller behaves.
 *
 * @param clusterDeadline of a write to the cluster or a read from it
 * @param pluginDeadline of a call that makes, destroys or empties storage; shorter if the lease ends before
 * @param clusterCalls that may run at once
 * @param classLimits how many calls of a class may run at once, by class, within the limit of its plugin; for classes not named
 *     here only the plugin's counts
 * @param resyncPerSecond objects looked at again each second although nothing happened; 0 for none
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

    /** 30 s for the cluster, 2 min for plugins, 16 calls to the cluster at once, at most 512 calls at once. */
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

    /** As the engine has it. */
    public static Backoff backoff(RetryBackoff given) {
        return new Backoff(given.initial(), given.longest(), given.infeasible());
    }

    /** As the engine has them. */
    public static OperationExecutor.Limits limits(OperationLimits given) {
        return new OperationExecutor.Limits(given.running(), given.writtenOffPerPlugin(), given.writtenOff());
    }

    /** As hosts have them. */
    public static OperationLimits publicLimits(OperationExecutor.Limits limits) {
        return new OperationLimits(limits.running(), limits.writtenOffPerLane(), limits.writtenOff());
    }

    /** As hosts have them. */
    public OperationLimits publicLimits() {
        return publicLimits(limits);
    }
}
