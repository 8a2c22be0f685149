package io.volume4j.core.control;

import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The life of snapshots: binds {@code VolumeSnapshot}s to their contents, has plugins cut them, watches them until they are ready, keeps
 * claims and snapshots that are still needed, and destroys what the deletion policy says. What Kubernetes divides into a common
 * controller and a sidecar for each driver is one here; both meet it only in the cluster's objects, so it also runs beside either.
 *
 * <p>Beside a {@link PersistentVolumeController} of the same process it is easier to have that one do it, see {@link
 * PersistentVolumeControllerBuilder#takesSnapshots()}. Claims are restored by that controller in any case.
 *
 * <p>A crash at any point loses nothing: what may be being cut stands in the content before the backend is called, and the next start
 * makes the same call again until it is sure what came of it. Run one, or give all of them one {@link
 * io.volume4j.spi.host.LeaderEpoch}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SnapshotController implements AutoCloseable {
    private final AgentProcess process;
    private final BindingAgent agent;

    SnapshotController(AgentProcess process) {
        this.process = process;
        this.agent = process.agent();
    }

    /** Begins a controller; see the builder for what it needs. */
    public static SnapshotControllerBuilder builder() {
        return new SnapshotControllerBuilder();
    }

    /**
     * Begins to work; returns at once. Once: what runs or was closed is not started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        process.start();
    }

    /** Why a snapshot, its content or a claim that is cut is as it is: what is done, what comes next, what is waited for. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return process.answered(agent.explain(object));
    }

    /** The steps that would be taken now, without taking any. */
    public CompletableFuture<List<PlannedStep>> plan() {
        return process.plan();
    }

    /**
     * Whether it works and leads, for the probes of whatever runs the process. Waits at most {@link Health#PATIENCE} for the event
     * loop, which at work answers within microseconds.
     *
     * @since 0.1.0
     */
    public Health health() {
        return process.health();
    }

    /**
     * What makes the cluster match what is wanted. It plans and explains objects; {@code reconcile} looks at one now.
     *
     * @since 0.1.0
     */
    public Reconciler<ObjectKey, PlannedStep> reconciler() {
        return process.reconciler();
    }

    /**
     * What carries out the reconciler's steps, each about an object of the cluster.
     *
     * @since 0.1.0
     */
    public OperationExecutor<ObjectKey> operationExecutor() {
        return process.operations();
    }

    /** Stops, and returns within the close timeout. What was begun is taken up by the next start. Idempotent. */
    @Override
    public void close() {
        closeReportingLeft();
    }

    /** Closes and returns the calls that did not end, by operation and plugin. */
    public List<String> closeReportingLeft() {
        return process.close();
    }
}
