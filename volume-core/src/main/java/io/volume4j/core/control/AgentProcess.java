package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A reconciler of claims and volumes with the threads that it runs on. */
final class AgentProcess {
    private final BindingAgent agent;
    private final AgentThreads threads;
    private final OperationLimits limits;

    private AgentProcess(BindingAgent agent, AgentThreads threads, OperationLimits limits) {
        this.agent = agent;
        this.threads = threads;
        this.limits = limits;
    }

    static AgentProcess of(Duty duty, ControllerSettings settings, ControlOptions options) {
        AgentThreads threads = AgentThreads.start(duty.name(), settings);
        return new AgentProcess(
                new BindingAgent(threads.ports(), options, duty, settings.listener()), threads, settings.limits());
    }

    BindingAgent agent() {
        return agent;
    }

    /**
     * Begins, once.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    void start() {
        threads.start(agent::start);
    }

    /** What the agent was asked; refused once it is closed. */
    <T> CompletableFuture<T> answered(CompletableFuture<T> answer) {
        return threads.answered(answer);
    }

    /** How the agent is; never waits longer than {@link Health#PATIENCE}. */
    Health health() {
        return threads.health(Health.PATIENCE, agent::health);
    }

    /** The steps that would be taken now, without taking any. */
    CompletableFuture<List<PlannedStep>> plan() {
        return answered(agent.plan()).thenApply(PlannedStep::of);
    }

    Reconciler<ObjectKey, PlannedStep> reconciler() {
        return new ControlReconciler(
                this::start,
                this::close,
                this::plan,
                object -> answered(agent.explain(object)),
                object -> answered(agent.reconciler().reconcile(object)),
                () -> answered(agent.reconciler().quiescence()));
    }

    OperationExecutor<ObjectKey> operations() {
        return new ControlOperations(
                limits,
                () -> answered(agent.reconciler().pending()),
                () -> answered(agent.reconciler().whenIdle()));
    }

    /** Ends within the close timeout; returns the calls that did not. Idempotent. */
    List<String> close() {
        return threads.close(agent::end);
    }
}
