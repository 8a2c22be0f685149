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

/** An attacher with the threads that it runs on. */
final class AttacherProcess implements ExternalAttacher {
    private final ExternalAttacherAgent agent;
    private final AgentThreads threads;
    private final OperationLimits limits;

    AttacherProcess(ExternalAttacherAgent agent, AgentThreads threads, OperationLimits limits) {
        this.agent = agent;
        this.threads = threads;
        this.limits = limits;
    }

    @Override
    public void start() {
        threads.start(agent::start);
    }

    @Override
    public CompletableFuture<Explanation> explain(String attachment) {
        return threads.answered(agent.explain(attachment));
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return threads.answered(agent.plan()).thenApply(PlannedStep::of);
    }

    @Override
    public Reconciler<ObjectKey, PlannedStep> reconciler() {
        return new ControlReconciler(
                this::start,
                this::close,
                this::plan,
                this::explain,
                object -> threads.answered(agent.reconcile(object)),
                () -> threads.answered(agent.quiescence()));
    }

    @Override
    public OperationExecutor<ObjectKey> operationExecutor() {
        return new ControlOperations(
                limits, () -> threads.answered(agent.pending()), () -> threads.answered(agent.whenIdle()));
    }

    @Override
    public Health health() {
        return threads.health(Health.PATIENCE, agent::health);
    }

    @Override
    public void close() {
        closeReportingLeft();
    }

    @Override
    public List<String> closeReportingLeft() {
        return threads.close(agent::end);
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        if (object.kind() != Kind.VOLUME_ATTACHMENT) {
            throw new IllegalArgumentException("explains VolumeAttachments, not " + object);
        }
        return explain(object.name());
    }
}
