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
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link ExternalProvisioner} is made of. Needed are a cluster and, with a name, either plugins or a backend;
 * everything else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalProvisionerBuilder {
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private @Nullable PluginRegistry plugins;
    private String name = "";
    private @Nullable Executor workers;
    private final Set<Task> tasks = EnumSet.noneOf(Task.class);
    private LeaderEpoch leader = LeaderEpoch.alone();
    private EventSink events = EventSink.none();
    private MetricsSink metrics = MetricsSink.none();
    private final List<Instrumentation> instrumentations = new ArrayList<>();
    private Duration pluginDeadline = ControlOptions.standard().pluginDeadline();
    private Duration closeTimeout = Duration.ofSeconds(2);
    private RetryBackoff backoff = RetryBackoff.standard();
    private OperationLimits limits = ControlOptions.standard().publicLimits();

    ExternalProvisionerBuilder() {}

    /** Where claims, volumes, classes, nodes, pods and attachments are read and changed. Needed. */
    public ExternalProvisionerBuilder cluster(ClusterSource from, ClusterWriter to) {
        source = Objects.requireNonNull(from, "source");
        writer = Objects.requireNonNull(to, "writer");
        return this;
    }

    /** Works in the name of that plugin of the registry, with its {@code Provisioner} and {@code Deleter}. */
    public ExternalProvisionerBuilder plugin(String provisioner, PluginRegistry registry) {
        name = Objects.requireNonNull(provisioner, "provisioner");
        plugins = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /** Works in that name with these, for storage that needs no plugin on the control plane: files, for pods to mount. */
    public ExternalProvisionerBuilder backend(String provisioner, Provisioner makes, Deleter deletes) {
        return plugin(
                provisioner,
                PluginRegistry.builder(new NoHost())
                        .plugin(new Backend(provisioner, makes, deletes))
                        .build());
    }

    /**
     * Also finds out by itself what claims are to be made from, see {@link PersistentVolumeControllerBuilder#restoresSnapshots()}. The
     * host's cluster must know VolumeSnapshot and VolumeSnapshotContent, if only as empty lists.
     */
    public ExternalProvisionerBuilder restoresSnapshots() {
        tasks.add(Task.RESTORES);
        return this;
    }

    /** Whether this process leads; by default it is taken to be the only one of its name. */
    public ExternalProvisionerBuilder leader(LeaderEpoch value) {
        leader = Objects.requireNonNull(value, "leader");
        return this;
    }

    /** Runs calls of the plugin and of the cluster, which block; by default daemon threads. Not closed with this. */
    public ExternalProvisionerBuilder workers(Executor value) {
        workers = Objects.requireNonNull(value, "workers");
        return this;
    }

    public ExternalProvisionerBuilder events(EventSink value) {
        events = Objects.requireNonNull(value, "events");
        return this;
    }

    public ExternalProvisionerBuilder metrics(MetricsSink value) {
        metrics = Objects.requireNonNull(value, "metrics");
        return this;
    }

    /** Hears of steps, calls and decisions as they happen; called again, it adds another. */
    public ExternalProvisionerBuilder instrumentation(Instrumentation value) {
        instrumentations.add(Objects.requireNonNull(value, "instrumentation"));
        return this;
    }

    /** After which a call that makes or destroys storage is written off; 2 minutes by default. */
    public ExternalProvisionerBuilder pluginDeadline(Duration value) {
        pluginDeadline = positive("pluginDeadline", value);
        return this;
    }

    /** How long a failed step waits for its next try; see {@link RetryBackoff} for the defaults. */
    public ExternalProvisionerBuilder backoff(RetryBackoff value) {
        backoff = Objects.requireNonNull(value, "backoff");
        return this;
    }

    /**
     * How many calls may run at once: by default 512, with 128 of one plugin and 512 of all plugins past their deadline. A plugin's own
     * {@code maxConcurrentCalls} holds beside these.
     */
    public ExternalProvisionerBuilder operationLimits(OperationLimits value) {
        limits = Objects.requireNonNull(value, "operationLimits");
        return this;
    }

    /** How long closing may take; 2 seconds by default. */
    public ExternalProvisionerBuilder closeTimeout(Duration value) {
        closeTimeout = positive("closeTimeout", value);
        return this;
    }

    /**
     * Makes the provisioner, which does nothing before {@link ExternalProvisioner#start()}.
     *
     * @throws IllegalStateException if something needed is missing
     */
    public ExternalProvisioner build() {
        if (source == null || writer == null || plugins == null || name.isEmpty()) {
            throw Needs.of("an external provisioner")
                    .given(source != null && writer != null, "cluster(source, writer)")
                    .given(plugins != null && !name.isEmpty(), "plugin(name, registry) or backend(name, …)")
                    .missing();
        }
        ControlOptions standard = ControlOptions.standard();
        return new ExternalProvisioner(AgentProcess.of(
                Duty.provisioning(name).also(tasks),
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
