package io.volume4j.core.assembly;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The controllers of one process, as production builds them, with the loops, workers and random generator of a
 * simulator. They have no resync: they examine only changed objects. One thread at a time.
 */
public final class SimulatedControllers {
    private final Surroundings surroundings;
    private final Supplier<Run> runtimes;
    private final EngineSeams seams;
    private @Nullable ObjectReconciler objects;
    private @Nullable AttachAgent attaching;
    private @Nullable ExternalAttacherAgent records;

    /**
     * The parts that the controllers of the process share.
     * @param process the id of the process, different for every start
     */
    public record Surroundings(
            String process,
            ClusterSource source,
            ClusterWriter writer,
            PluginRegistry plugins,
            LeaderEpoch leader,
            EventSink events,
            MetricsSink metrics) {}

    /** The parts that each controller has for itself. */
    public record Run(EventLoop loop, Executor workers, RandomGenerator random) {}

    /** A process without controllers. */
    public SimulatedControllers(Surroundings surroundings, Supplier<Run> runtimes, EngineSeams seams) {
        this.surroundings = surroundings;
        this.runtimes = runtimes;
        this.seams = seams;
    }

    /** Starts a controller of objects. */
    public void reconcileObjects(ControllerFeatures features) {
        ControlOptions standard = ControlOptions.standard();
        ObjectReconciler started = new ObjectReconciler(
                ports(),
                new ControlOptions(
                        standard.clusterDeadline(),
                        standard.pluginDeadline(),
                        standard.clusterCalls(),
                        Map.of(),
                        standard.backoff(),
                        standard.limits(),
                        0),
                features.spec(),
                transition -> {},
                seams.objects());
        objects = started;
        started.start();
    }

    /**
     * Starts an attach/detach controller.
     * @param verifyEvery the time between two checks of the attachments at each backend; zero for never
     * @param attachLimits how many volumes of a driver a node may have, by driver
     * @param externalAttachers drivers whose VolumeAttachments another process executes
     * @param kubernetesNames whether it names its VolumeAttachments as Kubernetes does
     */
    public void attach(
            FencingAuthority fencing,
            Duration verifyEvery,
            Map<String, Integer> attachLimits,
            Set<String> externalAttachers,
            boolean kubernetesNames) {
        AttachAgent started = new AttachAgent(
                ports(),
                fencing,
                options()
                        .withVerifyEvery(verifyEvery)
                        .withAttachLimits(attachLimits)
                        .withExternalAttachers(externalAttachers)
                        .withKubernetesNames(kubernetesNames),
                transition -> {},
                seams.attach(),
                seams.record());
        attaching = started;
        started.start();
    }

    /** Starts an attacher that executes the VolumeAttachments of that driver. */
    public void carryOutAttachments(String driver) {
        ExternalAttacherAgent started =
                new ExternalAttacherAgent(driver, ports(), options(), transition -> {}, seams.record());
        records = started;
        started.start();
    }

    private static AttachOptions options() {
        return AttachOptions.standard().withResyncPerSecond(0);
    }

    private ControlPorts ports() {
        Run runtime = runtimes.get();
        return new ControlPorts(
                surroundings.process(),
                surroundings.source(),
                surroundings.writer(),
                surroundings.plugins(),
                runtime.loop(),
                runtime.workers(),
                runtime.random(),
                surroundings.leader(),
                surroundings.events(),
                surroundings.metrics());
    }

    /** The controller of objects, empty before it was started. */
    public Optional<ObjectReconciler> objects() {
        return Optional.ofNullable(objects);
    }

    /** The controller that attaches and detaches, empty before it was started. */
    public Optional<AttachAgent> attaching() {
        return Optional.ofNullable(attaching);
    }

    /** Whether the controller of objects has nothing to do, or there is none. */
    public boolean objectsQuiet() {
        return objects == null || objects.quiet();
    }

    /** Whether the controller that attaches and detaches has nothing to do, or there is none. */
    public boolean attachQuiet() {
        return attaching == null || attaching.quiet();
    }

    /** Whether one of the controllers decides about objects of that kind. */
    public boolean explains(Kind kind) {
        return kind == Kind.VOLUME_ATTACHMENT ? records != null : objects != null;
    }

    /**
     * Explains the state of the object. Fails unless a controller that {@linkplain #explains explains} it was
     * started.
     */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        if (object.kind() == Kind.VOLUME_ATTACHMENT && records != null) {
            return records.explain(object.name());
        }
        return objects == null ? unknown(object) : objects.explain(object);
    }

    /** Explains the attachments of the node. Fails if no controller attaches. */
    public CompletableFuture<Explanation> explainNode(String node) {
        return attaching == null ? unknown("node " + node) : attaching.explainNode(node);
    }

    private <T> CompletableFuture<T> unknown(Object subject) {
        return CompletableFuture.failedFuture(
                new IllegalStateException("no controller of " + surroundings.process() + " knows " + subject));
    }

    /** Makes the controller of objects examine the object now. */
    public void visit(ObjectKey object) {
        if (objects != null) {
            objects.visit(object);
        }
    }
}
