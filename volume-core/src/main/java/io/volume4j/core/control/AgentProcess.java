package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.host.ControllerSpec;
import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A reconciler of objects with its threads. */
class AgentProcess implements AgentController, ExternalProvisioner, ExternalResizer, SnapshotController {
    private final ObjectReconciler objects;
    private final AgentThreads threads;
    private final OperationLimits limits;

    AgentProcess(ControllerSpec spec, ControllerSettings settings, ControlOptions options) {
        this.threads = AgentThreads.start(spec.name(), settings);
        this.objects =
                threads.build(ports -> new ObjectReconciler(ports, options, spec, settings.listener(), Seams.none()));
        this.limits = settings.limits();
    }

    @Override
    public final ObjectReconciler agent() {
        return objects;
    }

    @Override
    public final AgentThreads threads() {
        return threads;
    }

    @Override
    public final OperationLimits limits() {
        return limits;
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return answered(objects.explain(object));
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return answered(objects.plan()).thenApply(PlannedStep::of);
    }
}
