package io.volume4j.core.control;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Attaches volumes to the nodes whose pods want them and detaches them again, for nodes that say so with the annotation
 * {@code volumes.kubernetes.io/controller-managed-attach-detach: "true"}. Everything is read from and written to the host's
 * cluster; nothing has to be called when objects change.
 *
 * <p>Thread-safe. Several may run over one cluster: with a {@link io.volume4j.spi.host.LeaderEpoch} one of them works and
 * the others stand by. A volume that one node may have is granted to one, whatever the others do, because the cluster
 * stores only one VolumeAttachment of it.
 *
 * @since 0.1.0
 */
public final class AttachDetachController implements AutoCloseable {
    private final AttachAgent agent;
    private final AgentThreads threads;
    private final OperationLimits limits;

    AttachDetachController(AttachAgent agent, AgentThreads threads, OperationLimits limits) {
        this.agent = agent;
        this.threads = threads;
        this.limits = limits;
    }

    /** Begins a controller; see the builder for what it needs. */
    public static AttachDetachControllerBuilder builder() {
        return new AttachDetachControllerBuilder();
    }

    /**
     * Begins to reconcile; returns at once. Once: what runs or was closed is not started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        threads.start(agent::start);
    }

    /**
     * Gives evidence that a node is cut off from its volumes: those that no pod wants there are taken away without the
     * node's word, until it is ready again. Each is told as an event and counted. Completes with whether that was taken
     * over: false if this process does not lead or knows of no such node.
     */
    public CompletableFuture<Boolean> fence(Fence fence) {
        return threads.answered(agent.fence(fence));
    }

    /**
     * Why a volume or a node is as it is: what is done, what comes next, what is waited for, the last errors.
     *
     * @param object a PersistentVolume or a Node
     * @throws IllegalArgumentException for another kind of object
     */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return switch (object.kind()) {
            case NODE -> threads.answered(agent.explainNode(object.name()));
            case PERSISTENT_VOLUME -> threads.answered(agent.explainVolume(object.name()));
            default -> throw new IllegalArgumentException("explains PersistentVolumes and Nodes, not " + object);
        };
    }

    /** The same for a volume of which there may be no object. */
    public CompletableFuture<Explanation> explain(VolumeId volume) {
        return threads.answered(agent.explainVolume(volume));
    }

    /** The steps that would be taken now, without taking any; none while another process leads. */
    public CompletableFuture<List<PlannedStep>> plan() {
        return threads.answered(agent.plan()).thenApply(plans -> {
            List<PlannedStep> steps = new ArrayList<>();
            plans.forEach((key, plan) -> plan.steps()
                    .forEach(step ->
                            steps.add(new PlannedStep(object(key), step.kind().name(), step.describe()))));
            return List.copyOf(steps);
        });
    }

    /**
     * Whether it works and leads, for the probes of whatever runs the process. Waits at most {@link Health#PATIENCE} for the event
     * loop, which at work answers within microseconds.
     *
     * @since 0.1.0
     */
    public Health health() {
        return threads.health(Health.PATIENCE, agent::health);
    }

    /**
     * What pods want attached to which nodes.
     *
     * @since 0.1.0
     */
    public AttachDesiredStateOfWorld desiredState() {
        return new AttachDesired(agent, threads);
    }

    /**
     * What is, or may be, attached to which nodes.
     *
     * @since 0.1.0
     */
    public AttachActualStateOfWorld actualState() {
        return new AttachActual(agent, threads);
    }

    /**
     * What makes the actual state match the desired one. It explains and looks at PersistentVolumes and Nodes; {@code reconcile} also
     * takes a VolumeAttachment.
     *
     * @since 0.1.0
     */
    public Reconciler<ObjectKey, PlannedStep> reconciler() {
        return new ControlReconciler(
                this::start,
                this::close,
                this::plan,
                this::explain,
                object -> threads.answered(agent.reconcile(object)),
                () -> threads.answered(agent.quiescence()));
    }

    /**
     * What carries out the reconciler's steps: about a VolumeAttachment where the step concerns one, otherwise about a Node.
     *
     * @since 0.1.0
     */
    public OperationExecutor<ObjectKey> operationExecutor() {
        return new ControlOperations(
                limits, () -> threads.answered(agent.pending()), () -> threads.answered(agent.whenIdle()));
    }

    private record AttachDesired(AttachAgent agent, AgentThreads threads) implements AttachDesiredStateOfWorld {
        @Override
        public CompletableFuture<AttachDesiredStateOfWorld.Reading> read() {
            return threads.answered(agent.desired());
        }

        @Override
        public CompletableFuture<Boolean> wants(VolumeId volume, String node) {
            return threads.answered(agent.wants(volume, node));
        }
    }

    private record AttachActual(AttachAgent agent, AgentThreads threads) implements AttachActualStateOfWorld {
        @Override
        public CompletableFuture<AttachActualStateOfWorld.Reading> read() {
            return threads.answered(agent.actual());
        }

        @Override
        public CompletableFuture<State> state(VolumeId volume, String node) {
            return threads.answered(agent.state(volume, node));
        }
    }

    /**
     * Stops reconciling, cancels what is under way, and returns within the close timeout. What was begun is taken up by the
     * next start. Idempotent.
     */
    @Override
    public void close() {
        closeReportingLeft();
    }

    /** Closes and returns the calls that did not end, by operation and driver. */
    public List<String> closeReportingLeft() {
        return threads.close(agent::end);
    }

    private static ObjectKey object(AttachKey key) {
        if (key instanceof AttachKey.Pair pair) {
            return ObjectKey.node(pair.node());
        }
        return ObjectKey.node(((AttachKey.OfNode) key).node());
    }
}
