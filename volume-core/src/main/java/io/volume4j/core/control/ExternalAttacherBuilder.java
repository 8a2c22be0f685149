package io.volume4j.core.control;

import static io.volume4j.core.control.AttachDetachControllerBuilder.positive;

import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link ExternalAttacher} is made of. Needed are a cluster to read and to write, and a registry with the driver's
 * plugin; everything else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalAttacherBuilder {
    private final String driver;
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private @Nullable PluginRegistry plugins;
    private @Nullable Executor workers;
    private LeaderEpoch leader = LeaderEpoch.alone();
    private MetricsSink metrics = MetricsSink.none();
    private final List<Instrumentation> instrumentations = new ArrayList<>();
    private Consumer<ObjectTransition> listener = transition -> {};
    private AttachOptions options = AttachOptions.standard();
    private Duration closeTimeout = Duration.ofSeconds(2);

    ExternalAttacherBuilder(String driver) {
        this.driver = Objects.requireNonNull(driver, "driver");
    }

    /** Where volumes and attachments are read and changed. Needed. */
    public ExternalAttacherBuilder cluster(ClusterSource from, ClusterWriter to) {
        source = Objects.requireNonNull(from, "source");
        writer = Objects.requireNonNull(to, "writer");
        return this;
    }

    /** Where the driver's plugin is. Needed. */
    public ExternalAttacherBuilder plugins(PluginRegistry value) {
        plugins = Objects.requireNonNull(value, "plugins");
        return this;
    }

    /** Whether this process leads; by default it is taken to be the driver's only attacher. */
    public ExternalAttacherBuilder leader(LeaderEpoch value) {
        leader = Objects.requireNonNull(value, "leader");
        return this;
    }

    /** Runs calls, which block; by default daemon threads that come and go. Not closed with the attacher. */
    public ExternalAttacherBuilder workers(Executor value) {
        workers = Objects.requireNonNull(value, "workers");
        return this;
    }

    public ExternalAttacherBuilder metrics(MetricsSink value) {
        metrics = Objects.requireNonNull(value, "metrics");
        return this;
    }

    /** Hears of steps, calls and decisions as they happen; called again, it adds another. */
    public ExternalAttacherBuilder instrumentation(Instrumentation value) {
        instrumentations.add(Objects.requireNonNull(value, "instrumentation"));
        return this;
    }

    /** Hears of every step that begins or ends, on the event loop; must not block. */
    public ExternalAttacherBuilder listener(Consumer<ObjectTransition> value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /** After which a write to the cluster or a read from it is written off; 30 seconds by default. */
    public ExternalAttacherBuilder clusterDeadline(Duration value) {
        options = options.withClusterDeadline(positive("clusterDeadline", value));
        return this;
    }

    /** After which an attach or detach call is written off; 2 minutes by default. */
    public ExternalAttacherBuilder attachDeadline(Duration value) {
        options = options.withDriverDeadline(positive("attachDeadline", value));
        return this;
    }

    /** How long closing may take; 2 seconds by default. */
    public ExternalAttacherBuilder closeTimeout(Duration value) {
        closeTimeout = positive("closeTimeout", value);
        return this;
    }

    /**
     * Makes the attacher, which does nothing before {@link ExternalAttacher#start()}.
     *
     * @throws IllegalStateException if something needed is missing
     */
    public ExternalAttacher build() {
        if (source == null || writer == null || plugins == null) {
            throw Needs.of("an external attacher")
                    .given(source != null && writer != null, "cluster(source, writer)")
                    .given(plugins != null, "plugins(…)")
                    .missing();
        }
        AgentThreads threads = AgentThreads.start(
                "attacher",
                new AgentThreads.Host(
                        source,
                        writer,
                        plugins,
                        workers,
                        leader,
                        EventSink.none(),
                        metrics,
                        Instrumentation.all(instrumentations),
                        closeTimeout));
        return new ExternalAttacher(new ExternalAttacherAgent(driver, threads.ports(), options, listener), threads);
    }
}
