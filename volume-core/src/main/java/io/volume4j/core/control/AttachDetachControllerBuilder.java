package io.volume4j.core.control;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link AttachDetachController} is made of. Needed are a cluster to read and to write, and plugins; everything else
 * has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class AttachDetachControllerBuilder {
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private @Nullable PluginRegistry plugins;
    private @Nullable Executor workers;
    private LeaderEpoch leader = LeaderEpoch.alone();
    private FencingAuthority fencing = FencingAuthority.none();
    private EventSink events = EventSink.none();
    private MetricsSink metrics = MetricsSink.none();
    private final List<Instrumentation> instrumentations = new ArrayList<>();
    private Consumer<ObjectTransition> listener = transition -> {};
    private AttachOptions options = AttachOptions.standard();
    private Duration closeTimeout = Duration.ofSeconds(2);

    AttachDetachControllerBuilder() {}

    /** Where nodes, pods, claims, volumes and attachments are read and changed. Needed. */
    public AttachDetachControllerBuilder cluster(ClusterSource from, ClusterWriter to) {
        source = Objects.requireNonNull(from, "source");
        writer = Objects.requireNonNull(to, "writer");
        return this;
    }

    /** The plugins; may be shared with a volume manager in the same process. Needed. */
    public AttachDetachControllerBuilder plugins(PluginRegistry value) {
        plugins = Objects.requireNonNull(value, "plugins");
        return this;
    }

    /** Whether this process leads; by default it is taken to be the only one. */
    public AttachDetachControllerBuilder leader(LeaderEpoch value) {
        leader = Objects.requireNonNull(value, "leader");
        return this;
    }

    /** Who can prove that a node is cut off; by default none. Asked only about unhealthy nodes that hold what no pod wants. */
    public AttachDetachControllerBuilder fencing(FencingAuthority value) {
        fencing = Objects.requireNonNull(value, "fencing");
        return this;
    }

    /**
     * Runs calls of drivers and of the cluster, which block. By default daemon threads that come and go; never more than
     * the library's own limits allow. Not closed with the controller.
     */
    public AttachDetachControllerBuilder workers(Executor value) {
        workers = Objects.requireNonNull(value, "workers");
        return this;
    }

    public AttachDetachControllerBuilder events(EventSink value) {
        events = Objects.requireNonNull(value, "events");
        return this;
    }

    public AttachDetachControllerBuilder metrics(MetricsSink value) {
        metrics = Objects.requireNonNull(value, "metrics");
        return this;
    }

    /** Hears of steps, calls and decisions as they happen; called again, it adds another. */
    public AttachDetachControllerBuilder instrumentation(Instrumentation value) {
        instrumentations.add(Objects.requireNonNull(value, "instrumentation"));
        return this;
    }

    /** Hears of every step that begins or ends, on the event loop; must not block. */
    public AttachDetachControllerBuilder listener(Consumer<ObjectTransition> value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /** VolumeAttachments of the driver are carried out by an {@link ExternalAttacher} or another program. */
    public AttachDetachControllerBuilder externalAttacher(String driver) {
        Set<String> drivers = new LinkedHashSet<>(options.externalAttachers());
        drivers.add(Objects.requireNonNull(driver, "driver"));
        options = options.withExternalAttachers(drivers);
        return this;
    }

    /** How many volumes of the driver a node may have, where the node's {@code allocatable} does not say. */
    public AttachDetachControllerBuilder attachLimit(String driver, int volumesPerNode) {
        if (volumesPerNode < 1) {
            throw new IllegalArgumentException("attachLimit must be at least 1, not " + volumesPerNode);
        }
        Map<String, Integer> limits = new LinkedHashMap<>(options.attachLimits());
        limits.put(driver, volumesPerNode);
        options = options.withAttachLimits(limits);
        return this;
    }

    /**
     * How often each backend is asked, in one call, what is attached; a minute by default, zero for never, at least a
     * second otherwise.
     */
    public AttachDetachControllerBuilder verifyEvery(Duration value) {
        if (!value.isZero() && value.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("verifyEvery must be zero or at least a second, not " + value);
        }
        options = options.withVerifyEvery(value);
        return this;
    }

    /** How often the fencing authority is asked about a node while volumes wait for its answer; 10 seconds by default. */
    public AttachDetachControllerBuilder askFenceEvery(Duration value) {
        options = options.withAskFenceEvery(positive("askFenceEvery", value));
        return this;
    }

    /**
     * Takes volumes that no pod wants from a node that is not ready or gone after this time, <em>without any evidence</em>
     * that it does not write to them any more. Off by default. A host that turns it on accepts that two nodes may write to one
     * volume and destroy its content; each such detach is a warning event, a metric and a log line.
     */
    public AttachDetachControllerBuilder acceptRiskAfter(Duration value) {
        options = options.withAcceptedRiskAfter(positive("acceptRiskAfter", value));
        return this;
    }

    /** After which a write to the cluster or a read from it is written off; 30 seconds by default. */
    public AttachDetachControllerBuilder clusterDeadline(Duration value) {
        options = options.withClusterDeadline(positive("clusterDeadline", value));
        return this;
    }

    /** After which an attach or detach call is written off; 2 minutes by default. */
    public AttachDetachControllerBuilder attachDeadline(Duration value) {
        options = options.withDriverDeadline(positive("attachDeadline", value));
        return this;
    }

    /** How long a failed step waits for its next try; see {@link RetryBackoff} for the defaults. */
    public AttachDetachControllerBuilder backoff(RetryBackoff value) {
        options = options.withBackoff(Objects.requireNonNull(value, "backoff"));
        return this;
    }

    /**
     * How many calls may run at once: by default 512, with 128 of one plugin and 512 of all plugins past their deadline. A plugin's own
     * {@code maxConcurrentCalls} holds beside these.
     */
    public AttachDetachControllerBuilder operationLimits(OperationLimits value) {
        options = options.withLimits(Objects.requireNonNull(value, "operationLimits"));
        return this;
    }

    /** How long closing may take; 2 seconds by default. */
    public AttachDetachControllerBuilder closeTimeout(Duration value) {
        closeTimeout = positive("closeTimeout", value);
        return this;
    }

    /**
     * Makes the controller, which does nothing before {@link AttachDetachController#start()}.
     *
     * @throws IllegalStateException if something needed is missing
     */
    public AttachDetachController build() {
        if (source == null || writer == null || plugins == null) {
            throw Needs.of("an attach/detach controller")
                    .given(source != null && writer != null, "cluster(source, writer)")
                    .given(plugins != null, "plugins(…)")
                    .missing();
        }
        AgentThreads threads = AgentThreads.start(
                "attach",
                new AgentThreads.Host(
                        source,
                        writer,
                        plugins,
                        workers,
                        leader,
                        events,
                        metrics,
                        Instrumentation.all(instrumentations),
                        closeTimeout));
        return new AttachDetachController(
                new AttachAgent(threads.ports(), fencing, options, listener),
                threads,
                ControlOptions.publicLimits(options.limits()));
    }

    static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
        return value;
    }
}
