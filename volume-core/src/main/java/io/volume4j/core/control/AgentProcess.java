package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.host.ControllerSpec;
import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A reconciler of objects with the threads that it runs on. */
class AgentProcess implements ExternalProvisioner, ExternalResizer, SnapshotController {
    private final ObjectReconciler objects;
    private final AgentThreads threads;
    private final OperationLimits limits;

    AgentProcess(ControllerSpec spec, ControllerSettings settings, ControlOptions options) {
        this.threads = AgentThreads.start(spec.name(), settings);
        this.objects = new ObjectReconciler(threads.ports(), options, spec, settings.listener(), Seams.none());
        this.limits = settings.limits();
    }

    final ObjectReconciler objects() {
        return objects;
    }

    @Override
    public void start() {
        threads.start(objects::start);
    }

    /** What the agent was asked; refused once it is closed. */
    final <T> CompletableFuture<T> answered(CompletableFuture<T> answer) {
        return threads.answered(answer);
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return answered(objects.explain(object));
    }

    @Override
    public Health health() {
        return threads.health(Health.PATIENCE, objects::health);
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return answered(objects.plan()).thenApply(PlannedStep::of);
    }

    @Override
    public Reconciler<ObjectKey, PlannedStep> reconciler() {
        return new ControlReconciler(
                this::start,
                this::close,
                this::plan,
                this::explain,
                object -> answered(objects.reconcile(object)),
                () -> answered(objects.quiescence()));
    }

    @Override
    public OperationExecutor<ObjectKey> operationExecutor() {
        return new ControlOperations(limits, () -> answered(objects.pending()), () -> answered(objects.whenIdle()));
    }

    @Override
    public void close() {
        closeReportingLeft();
    }

    @Override
    public List<String> closeReportingLeft() {
        return threads.close(objects::end);
    }
}
