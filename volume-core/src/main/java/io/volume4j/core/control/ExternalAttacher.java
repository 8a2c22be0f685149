package io.volume4j.core.control;

import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Attaches and detaches volumes of one driver as VolumeAttachments ask for it, apart from the controller that stores and
 * deletes these: for hosts whose drivers run in a process of their own. It keeps each VolumeAttachment, and its
 * PersistentVolume, by the finalizer {@code external-attacher/<driver>} before it asks the driver for anything, writes
 * {@code status.attached}, {@code attachmentMetadata}, {@code attachError} and {@code detachError}, and lets a deleted
 * VolumeAttachment go only after the driver has detached.
 *
 * <p>Thread-safe. The controller must know of it: {@link AttachDetachControllerBuilder#externalAttacher}. Attachments that a
 * controller carries out itself are left alone.
 *
 * @since 0.1.0
 */
public final class ExternalAttacher implements AutoCloseable {
    private final ExternalAttacherAgent agent;
    private final AgentThreads threads;
    private final OperationLimits limits;

    ExternalAttacher(ExternalAttacherAgent agent, AgentThreads threads, OperationLimits limits) {
        this.agent = agent;
        this.threads = threads;
        this.limits = limits;
    }

    /**
     * Begins an attacher; see the builder for what it needs.
     *
     * @param driver the {@code spec.attacher} of its VolumeAttachments and the name of the plugin that does it
     */
    public static ExternalAttacherBuilder builder(String driver) {
        return new ExternalAttacherBuilder(driver);
    }

    /**
     * Begins to reconcile; returns at once. Once: what runs or was closed is not started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        threads.start(agent::start);
    }

    /** Why the VolumeAttachment of that name is as it is. */
    public CompletableFuture<Explanation> explain(String attachment) {
        return threads.answered(agent.explain(attachment));
    }

    /** The steps that would be taken now, without taking any; none while another process leads. */
    public CompletableFuture<List<PlannedStep>> plan() {
        return threads.answered(agent.plan()).thenApply(PlannedStep::of);
    }

    /**
     * What carries out VolumeAttachments. It explains and looks at VolumeAttachments, and looks at PersistentVolumes that go.
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
     * What carries out the reconciler's steps.
     *
     * @since 0.1.0
     */
    public OperationExecutor<ObjectKey> operationExecutor() {
        return new ControlOperations(
                limits, () -> threads.answered(agent.pending()), () -> threads.answered(agent.whenIdle()));
    }

    private CompletableFuture<Explanation> explain(ObjectKey object) {
        if (object.kind() != Kind.VOLUME_ATTACHMENT) {
            throw new IllegalArgumentException("explains VolumeAttachments, not " + object);
        }
        return explain(object.name());
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
}
