package io.volume4j.core.control;

import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.explain.Explanation;
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

    /** Stops, and returns within the close timeout. What was begun is taken up by the next start. Again is nothing. */
    @Override
    public void close() {
        closeReportingLeft();
    }

    /** Closes and returns the calls that did not end, by operation and plugin. */
    public List<String> closeReportingLeft() {
        return process.close();
    }
}
