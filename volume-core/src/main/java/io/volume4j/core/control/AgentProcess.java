package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An agent with the threads that it runs on. */
class AgentProcess implements ExternalProvisioner, ExternalResizer, SnapshotController {
    private final BindingAgent agent;
    private final AgentThreads threads;
    private final OperationLimits limits;

    AgentProcess(Duty duty, ControllerSettings settings, ControlOptions options) {
        this.threads = AgentThreads.start(duty.name(), settings);
        this.agent = new BindingAgent(threads.ports(), options, duty, settings.listener());
        this.limits = settings.limits();
    }

    final BindingAgent agent() {
        return agent;
    }

    @Override
    public void start() {
        threads.start(agent::start);
    }

    /** What the agent was asked; refused once it is closed. */
    final <T> CompletableFuture<T> answered(CompletableFuture<T> answer) {
        return threads.answered(answer);
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return answered(agent.explain(object));
    }

    @Override
    public Health health() {
        return threads.health(Health.PATIENCE, agent::health);
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return answered(agent.plan()).thenApply(PlannedStep::of);
    }

    @Override
    public Reconciler<ObjectKey, PlannedStep> reconciler() {
        return new ControlReconciler(
                this::start,
                this::close,
                this::plan,
                this::explain,
                object -> answered(agent.reconciler().reconcile(object)),
                () -> answered(agent.reconciler().quiescence()));
    }

    @Override
    public OperationExecutor<ObjectKey> operationExecutor() {
        return new ControlOperations(
                limits,
                () -> answered(agent.reconciler().pending()),
                () -> answered(agent.reconciler().whenIdle()));
    }

    @Override
    public void close() {
        closeReportingLeft();
    }

    @Override
    public List<String> closeReportingLeft() {
        return threads.close(agent::end);
    }
}
