package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.explain.Health;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    /** What the host gave. */
    record Parts(
            ClusterSource source,
            ClusterWriter writer,
            PluginRegistry plugins,
            @Nullable Executor workers,
            LeaderEpoch leader,
            EventSink events,
            MetricsSink metrics,
            Instrumentation instrumentation,
            Consumer<ObjectTransition> listener,
            ControlOptions options,
            Duration closeTimeout) {
        private AgentThreads.Host host() {
            return new AgentThreads.Host(
                    source, writer, plugins, workers, leader, events, metrics, instrumentation, closeTimeout);
        }
    }

    static AgentProcess of(Duty duty, Parts parts) {
        AgentThreads threads = AgentThreads.start(duty.name(), parts.host());
        return new AgentProcess(
                new BindingAgent(threads.ports(), parts.options(), duty, parts.listener()),
                threads,
                parts.options().publicLimits());
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
        return answered(agent.plan()).thenApply(plans -> {
            List<PlannedStep> steps = new ArrayList<>();
            plans.forEach((object, plan) -> plan.steps()
                    .forEach(step ->
                            steps.add(new PlannedStep(object, step.kind().name(), step.describe()))));
            return List.copyOf(steps);
        });
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
