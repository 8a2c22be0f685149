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
 * Makes and deletes volumes in the name of one provisioner, in a process of its own or beside other controllers. It meets the
 * binding controller, ours or Kubernetes' own, only in the cluster's objects:
 *
 * <ul>
 *   <li>It serves claims that name no volume and that name it in {@code volume.kubernetes.io/storage-provisioner} (or the
 *       beta key), which the binding controller writes; of a class with {@code WaitForFirstConsumer} only those for which a
 *       node was chosen.
 *   <li>It stores the volume, reserved for the claim by UID and marked with {@code pv.kubernetes.io/provisioned-by}; binding
 *       the two is the controller's work.
 *   <li>It deletes volumes that it made, once the controller has released them and if their policy is Delete.
 * </ul>
 *
 * <p>Before it makes anything it writes its intent and a finalizer to the claim, so that a crash at any point and a claim
 * that is deleted meanwhile leak nothing. Thread-safe. Several may run for one name; the cluster's compare-and-set orders
 * them, and a {@link io.volume4j.spi.host.LeaderEpoch} saves them the work twice.
 *
 * @since 0.1.0
 */
public final class ExternalProvisioner implements AutoCloseable {
    private final AgentProcess process;
    private final BindingAgent agent;

    ExternalProvisioner(AgentProcess process) {
        this.process = process;
        this.agent = process.agent();
    }

    /** Begins a provisioner; see the builder for what it needs. */
    public static ExternalProvisionerBuilder builder() {
        return new ExternalProvisionerBuilder();
    }

    /**
     * Begins to work; returns at once. Once: what runs or was closed is not started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        process.start();
    }

    /** What this provisioner does about a claim or volume, and what it waits for. */
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
