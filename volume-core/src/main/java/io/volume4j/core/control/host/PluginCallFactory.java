package io.volume4j.core.control.host;

import io.volume4j.core.control.host.lead.LeaseCheck;
import io.volume4j.core.engine.Call;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Turns the work of steps into calls with a lane, its limits, and a deadline. Except for {@link #toCluster}, the
 * deadline lies within the lease. Loop thread only.
 */
public final class PluginCallFactory {
    private static final String CLUSTER_LANE = "cluster";

    private final PluginAccess plugins;
    private final LeaderEpoch leader;
    private final ControlOptions options;

    PluginCallFactory(PluginAccess plugins, LeaderEpoch leader, ControlOptions options) {
        this.plugins = plugins;
        this.leader = leader;
        this.options = options;
    }

    /**
     * A call of a plugin.
     *
     * @param className the storage class whose limit applies; {@code ""} for none
     */
    public Call toPlugin(String plugin, String className, Call.Body body) {
        int ofPlugin = plugins.byName(plugin)
                .map(found -> Math.max(1, found.maxConcurrentCalls()))
                .orElse(1);
        @Nullable Integer ofClass = options.classLimits().get(className);
        Call.Part part = ofClass == null ? Call.Part.REST : new Call.Part("class " + className, ofClass);
        return new Call(plugin, ofPlugin, part, withinLease(options.pluginDeadline()), body);
    }

    /** A call of another component that works with storage. */
    public Call toLane(String lane, int limit, Call.Body body) {
        return new Call(lane, limit, withinLease(options.pluginDeadline()), body);
    }

    /** A read from the cluster, or a write that its revision fences. */
    public Call toCluster(Call.Body body) {
        return new Call(CLUSTER_LANE, options.clusterCalls(), options.clusterDeadline(), body);
    }

    /** A write to the cluster that nothing fences: a deposed leader must not send it late. */
    Call unfencedToCluster(Call.Body body) {
        long epoch = leader.epoch();
        return new Call(CLUSTER_LANE, options.clusterCalls(), withinLease(options.clusterDeadline()), context -> {
            LeaseCheck.mustOutlast(leader, epoch, context);
            return body.run(context);
        });
    }

    private Duration withinLease(Duration wanted) {
        return LeaseCheck.within(leader, wanted);
    }
}
