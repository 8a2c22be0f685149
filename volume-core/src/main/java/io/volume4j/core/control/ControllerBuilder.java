package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.GuardedListeners;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The common settings of all controllers. A cluster (source and writer) and plugins are required; each builder has
 * its own method for plugins. Everything else has a default. No argument may be null. Not thread-safe.
 *
 * @param <B> the builder itself
 * @since 0.1.0
 */
public abstract sealed class ControllerBuilder<B extends ControllerBuilder<B>>
        permits AttachDetachControllerBuilder,
                ExternalAttacherBuilder,
                ExternalProvisionerBuilder,
                ExternalResizerBuilder,
                PersistentVolumeControllerBuilder,
                SnapshotControllerBuilder {
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final String what;
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private @Nullable Executor workers;
    private LeaderEpoch leader = LeaderEpoch.alone();
    private EventSink events = EventSink.none();
    private MetricsSink metrics = MetricsSink.none();
    private final List<Instrumentation> instrumentations = new ArrayList<>();
    private Consumer<ObjectTransition> listener = transition -> {};
    private Duration clusterDeadline = Duration.ofSeconds(30);
    private Duration pluginDeadline;
    private RetryBackoff backoff = RetryBackoff.standard();
    private OperationLimits limits = ControlOptions.standard().publicLimits();
    private Duration closeTimeout = Duration.ofSeconds(2);

    /**
     * @param what the product of the builder, with its article
     * @param pluginDeadline the default deadline
     */
    ControllerBuilder(String what, Duration pluginDeadline) {
        this.what = what;
        this.pluginDeadline = pluginDeadline;
    }

    /** The builder itself, as its own type. */
    abstract B self();

    /** The cluster where the controller reads and changes objects. Required. */
    public B cluster(ClusterSource from, ClusterWriter to) {
        source = given("cluster", from);
        writer = given("cluster", to);
        return self();
    }

    /** Determines whether this process leads. By default the controller assumes that it is the only one. */
    public B leader(LeaderEpoch value) {
        leader = given("leader", value);
        return self();
    }

    /**
     * The executor for calls to plugins and to the cluster, which block. By default daemon threads that the
     * controller creates as needed. The {@linkplain #operationLimits operation limits} bound the number of concurrent
     * calls. The controller does not close this executor. It must have its own threads and reject calls when it is
     * full, and the controller then tries again. An executor that runs calls on its caller, such as {@code
     * CallerRunsPolicy}, stops all objects of the controller during each such call.
     */
    public B workers(Executor value) {
        workers = given("workers", value);
        return self();
    }

    /**
     * Receives the controller's events for users. By default the controller reports none. An external attacher reports no events:
     * the controller that stored its VolumeAttachments does.
     */
    public B events(EventSink value) {
        events = given("events", value);
        return self();
    }

    /** Receives the controller's measurements. By default the controller reports none. */
    public B metrics(MetricsSink value) {
        metrics = given("metrics", value);
        return self();
    }

    /** Observes each step, call and decision. Each call of this method adds an observer. */
    public B instrumentation(Instrumentation value) {
        instrumentations.add(given("instrumentation", value));
        return self();
    }

    /** A listener that the controller calls on the event loop for each step that begins or ends. It must not block. */
    public B listener(Consumer<ObjectTransition> value) {
        listener = given("listener", value);
        return self();
    }

    /**
     * The deadline of a read or write of the cluster, after which the controller writes it off; 30 seconds by
     * default.
     */
    public B clusterDeadline(Duration value) {
        clusterDeadline = positive("clusterDeadline", value);
        return self();
    }

    /**
     * The deadline of a call to a plugin, after which the controller writes it off. 2 minutes by default, 1 minute
     * for snapshots.
     */
    public B pluginDeadline(Duration value) {
        pluginDeadline = positive("pluginDeadline", value);
        return self();
    }

    /** How long the controller waits before it retries a failed step; see {@link RetryBackoff} for the defaults. */
    public B backoff(RetryBackoff value) {
        backoff = given("backoff", value);
        return self();
    }

    /**
     * How many calls may run at the same time. By default 512; of the calls that missed their deadline at most 128
     * for one plugin and 512 for all. A plugin's own {@code maxConcurrentCalls} also applies.
     */
    public B operationLimits(OperationLimits value) {
        limits = given("operationLimits", value);
        return self();
    }

    /** How long {@link Controller#close()} may take; 2 seconds by default, and 36,500 days at most. */
    public B closeTimeout(Duration value) {
        // Longer is for ever, and sums of it must stay in the range of a clock.
        closeTimeout = Collections.min(List.of(positive("closeTimeout", value), FOR_EVER));
        return self();
    }

    /**
     * The settings so far.
     *
     * @param plugins null if there are none yet
     * @param asked the builder's method for plugins
     * @throws IllegalStateException if a required part is missing; the message lists all missing parts
     */
    ControllerSettings settings(@Nullable PluginRegistry plugins, String asked) {
        if (source == null || writer == null || plugins == null) {
            List<String> missing = new ArrayList<>();
            if (source == null || writer == null) {
                missing.add("cluster(source, writer)");
            }
            if (plugins == null) {
                missing.add(asked);
            }
            throw new IllegalStateException(what + " needs " + String.join(" and ", missing) + " before build()");
        }
        return new ControllerSettings(
                source,
                writer,
                plugins,
                workers,
                leader,
                events,
                metrics,
                GuardedListeners.instrumentation(instrumentations),
                listener,
                clusterDeadline,
                pluginDeadline,
                backoff,
                limits,
                closeTimeout);
    }

    static <T> T given(String call, @Nullable T value) {
        return Objects.requireNonNull(
                value, () -> call + "(…) was given null: give a value, or leave the call out for the default");
    }

    static Duration positive(String option, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(option + " must be positive, not " + value
                    + ": give a time above zero, or leave the call out for the default");
        }
        return value;
    }
}
