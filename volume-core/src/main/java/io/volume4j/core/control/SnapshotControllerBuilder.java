package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.control.run.Task;
import io.volume4j.core.plugins.PluginRegistry;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link SnapshotController} is made of. Needed are a cluster and plugins; everything else has a default. Not
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class SnapshotControllerBuilder {
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private @Nullable PluginRegistry plugins;
    private String name = "";
    private final Set<Task> tasks = EnumSet.noneOf(Task.class);
    private @Nullable Executor workers;
    private LeaderEpoch leader = LeaderEpoch.alone();
    private EventSink events = EventSink.none();
    private MetricsSink metrics = MetricsSink.none();
    private final List<Instrumentation> instrumentations = new ArrayList<>();
    private Duration pluginDeadline = Duration.ofMinutes(1);
    private Duration closeTimeout = Duration.ofSeconds(2);
    private RetryBackoff backoff = RetryBackoff.standard();
    private OperationLimits limits = ControlOptions.standard().publicLimits();

    SnapshotControllerBuilder() {}

    /** Where snapshots, their contents and classes, claims and volumes are read and changed. Needed. */
    public SnapshotControllerBuilder cluster(ClusterSource from, ClusterWriter to) {
        source = Objects.requireNonNull(from, "source");
        writer = Objects.requireNonNull(to, "writer");
        return this;
    }

    /** Makes snapshots with the plugins of the registry that can. Needed. */
    public SnapshotControllerBuilder plugins(PluginRegistry registry) {
        plugins = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /** Serves the contents of that driver only, as a sidecar does; by default those of all plugins. */
    public SnapshotControllerBuilder onlyDriver(String driver) {
        name = Objects.requireNonNull(driver, "driver");
        return this;
    }

    /** Also makes group snapshots. The host's cluster must know their three kinds, if only as empty lists. */
    public SnapshotControllerBuilder takesGroupSnapshots() {
        tasks.add(Task.GROUP_SNAPSHOTS);
        return this;
    }

    /**
     * Also tells drivers for which snapshot they cut, by the parameters {@code csi.storage.k8s.io/volumesnapshot/name}, {@code
     * …/namespace} and {@code csi.storage.k8s.io/volumesnapshotcontent/name}, as the sidecar does with {@code --extra-create-metadata};
     * for groups with {@code volumegroupsnapshot}.
     */
    public SnapshotControllerBuilder extraCreateMetadata() {
        tasks.add(Task.SNAPSHOT_METADATA);
        return this;
    }

    /** Whether this process leads; by default it is taken to be the only one. */
    public SnapshotControllerBuilder leader(LeaderEpoch value) {
        leader = Objects.requireNonNull(value, "leader");
        return this;
    }

    /** Runs calls of plugins and of the cluster, which block; by default daemon threads. Not closed with this. */
    public SnapshotControllerBuilder workers(Executor value) {
        workers = Objects.requireNonNull(value, "workers");
        return this;
    }

    public SnapshotControllerBuilder events(EventSink value) {
        events = Objects.requireNonNull(value, "events");
        return this;
    }

    public SnapshotControllerBuilder metrics(MetricsSink value) {
        metrics = Objects.requireNonNull(value, "metrics");
        return this;
    }

    /** Hears of steps, calls and decisions as they happen; called again, it adds another. */
    public SnapshotControllerBuilder instrumentation(Instrumentation value) {
        instrumentations.add(Objects.requireNonNull(value, "instrumentation"));
        return this;
    }

    /** After which a call that cuts or destroys a snapshot is written off; 1 minute by default. */
    public SnapshotControllerBuilder pluginDeadline(Duration value) {
        pluginDeadline = positive("pluginDeadline", value);
        return this;
    }

    /** How long a failed step waits for its next try; see {@link RetryBackoff} for the defaults. */
    public SnapshotControllerBuilder backoff(RetryBackoff value) {
        backoff = Objects.requireNonNull(value, "backoff");
        return this;
    }

    /**
     * How many calls may run at once: by default 512, with 128 of one plugin and 512 of all plugins past their deadline. A plugin's own
     * {@code maxConcurrentCalls} holds beside these.
     */
    public SnapshotControllerBuilder operationLimits(OperationLimits value) {
        limits = Objects.requireNonNull(value, "operationLimits");
        return this;
    }

    /** How long closing may take; 2 seconds by default. */
    public SnapshotControllerBuilder closeTimeout(Duration value) {
        closeTimeout = positive("closeTimeout", value);
        return this;
    }

    /**
     * Makes the controller, which does nothing before {@link SnapshotController#start()}.
     *
     * @throws IllegalStateException if something needed is missing
     */
    public SnapshotController build() {
        if (source == null || writer == null || plugins == null) {
            throw Needs.of("a snapshot controller")
                    .given(source != null && writer != null, "cluster(source, writer)")
                    .given(plugins != null, "plugins(…)")
                    .missing();
        }
        ControlOptions standard = ControlOptions.standard();
        return new SnapshotController(AgentProcess.of(
                Duty.snapshotting(name).also(tasks),
                new AgentProcess.Parts(
                        source,
                        writer,
                        plugins,
                        workers,
                        leader,
                        events,
                        metrics,
                        Instrumentation.all(instrumentations),
                        transition -> {},
                        new ControlOptions(
                                standard.clusterDeadline(),
                                pluginDeadline,
                                standard.clusterCalls(),
                                standard.classLimits(),
                                ControlOptions.backoff(backoff),
                                ControlOptions.limits(limits),
                                standard.resyncPerSecond()),
                        closeTimeout)));
    }

    private static Duration positive(String option, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(option + " must be positive, not " + value);
        }
        return value;
    }
}
