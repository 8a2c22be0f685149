package io.volume4j.core.control.attach.call;

import io.volume4j.core.control.host.WriteConflicts;
import io.volume4j.core.engine.Call;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates calls, each in the lane of its target. Calls with an effect end before the term of leadership. Loop thread only, except
 * the bodies of calls.
 *
 * @param clusterCalls how many calls to the cluster may run at once
 */
public record CallLanes(
        LeaderTerm term, PluginRegistry plugins, int clusterCalls, Duration clusterDeadline, Duration driverDeadline) {
    private static final String CLUSTER_LANE = "cluster";

    /**
     * A write to the cluster, or a read from it.
     *
     * @param patient see {@link WriteConflicts#patient}
     */
    public Call toCluster(boolean patient, Supplier<@Nullable Object> body) {
        return new Call(CLUSTER_LANE, clusterCalls, term.deadline(clusterDeadline), context -> {
            term.mustOutlast(context);
            return WriteConflicts.judged(body.get(), patient);
        });
    }

    /** A call with an effect. Its body checks the lease itself, after everything that it waits for. */
    public Call toDriver(String driver, Call.Body body) {
        return new Call(driver, limit(driver), term.deadline(driverDeadline), body);
    }

    /** A call without effect. It may outlast the term. */
    public Call question(String driver, Call.Body body) {
        return new Call(driver, limit(driver), driverDeadline, body);
    }

    private int limit(String driver) {
        return Math.max(
                1, plugins.byName(driver).map(VolumePlugin::maxConcurrentCalls).orElse(1));
    }
}
