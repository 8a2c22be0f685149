package io.volume4j.core.control.attach.call;

import io.volume4j.core.control.host.WriteConflicts;
import io.volume4j.core.engine.Call;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls that the term of leadership outlasts, each in the lane of what it calls. Loop thread only, but for the bodies of calls.
 *
 * @param clusterCalls at once
 */
public record CallLanes(
        LeaderTerm term, PluginRegistry plugins, int clusterCalls, Duration clusterDeadline, Duration driverDeadline) {
    private static final String CLUSTER_LANE = "cluster";

    /**
     * A write to the cluster, or a read of it.
     *
     * @param patient see {@link WriteConflicts#patient}
     */
    public Call toCluster(boolean patient, Supplier<@Nullable Object> body) {
        return new Call(CLUSTER_LANE, clusterCalls, term.deadline(clusterDeadline), context -> {
            term.mustOutlast(context);
            return WriteConflicts.judged(body.get(), patient);
        });
    }

    /** A call with an effect; its body looks at the lease itself, after all that it has to wait for. */
    public Call toDriver(String driver, Call.Body body) {
        return new Call(driver, limit(driver), term.deadline(driverDeadline), body);
    }

    /** A question, which may outlast the term. */
    public Call question(String driver, Call.Body body) {
        return new Call(driver, limit(driver), driverDeadline, body);
    }

    private int limit(String driver) {
        return Math.max(
                1, plugins.byName(driver).map(VolumePlugin::maxConcurrentCalls).orElse(1));
    }
}
