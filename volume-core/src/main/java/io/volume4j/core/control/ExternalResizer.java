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
 * Expands the volumes of one plugin and changes their attributes, in a process of its own or beside other controllers. It
 * meets the binding controller and the nodes, ours or Kubernetes' own, only in the cluster's objects: what it is about to do
 * stands in the claim's {@code status.allocatedResources} and {@code status.modifyVolumeStatus} before it does it, and what
 * nodes are to do next stands there afterwards.
 *
 * <p>A crash at any point loses nothing: the next start asks for the same size, or the same class, until it is sure what came of
 * it. Run one of them for a plugin, or give all of them one {@link io.volume4j.spi.host.LeaderEpoch}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalResizer implements AutoCloseable {
    private final AgentProcess process;
    private final BindingAgent agent;

    ExternalResizer(AgentProcess process) {
        this.process = process;
        this.agent = process.agent();
    }

    /** Begins a resizer; see the builder for what it needs. */
    public static ExternalResizerBuilder builder() {
        return new ExternalResizerBuilder();
    }

    /**
     * Begins to work; returns at once. Once: what runs or was closed is not started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        process.start();
    }

    /** What this resizer does about a claim, and what it waits for. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return process.answered(agent.explain(object));
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
