package io.volume4j.core.control;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An attach/detach agent with its threads. */
record AttachProcess(AttachAgent agent, AgentThreads threads, OperationLimits limits)
        implements AgentController, AttachDetachController {
    @Override
    public CompletableFuture<Boolean> fence(Fence fence) {
        return threads.answered(agent.fence(fence));
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return switch (object.kind()) {
            case NODE -> threads.answered(agent.explainNode(object.name()));
            case PERSISTENT_VOLUME -> threads.answered(agent.explainVolume(object.name()));
            default -> throw new IllegalArgumentException("explains PersistentVolumes and Nodes, not " + object);
        };
    }

    @Override
    public CompletableFuture<Explanation> explain(VolumeId volume) {
        return threads.answered(agent.explainVolume(volume));
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return threads.answered(agent.plan()).thenApply(plans -> {
            List<PlannedStep> steps = new ArrayList<>();
            plans.forEach((key, plan) -> plan.steps()
                    .forEach(step ->
                            steps.add(new PlannedStep(object(key), step.kind().name(), step.describe()))));
            return List.copyOf(steps);
        });
    }

    @Override
    public AttachDesiredStateOfWorld desiredState() {
        return new AttachDesired(agent, threads);
    }

    @Override
    public AttachActualStateOfWorld actualState() {
        return new AttachActual(agent, threads);
    }

    private record AttachDesired(AttachAgent agent, AgentThreads threads) implements AttachDesiredStateOfWorld {
        @Override
        public CompletableFuture<AttachDesiredStateOfWorld.Reading> read() {
            return threads.answered(agent.desired());
        }

        @Override
        public CompletableFuture<Boolean> wants(VolumeId volume, String node) {
            return threads.answered(agent.wants(volume, node));
        }
    }

    private record AttachActual(AttachAgent agent, AgentThreads threads) implements AttachActualStateOfWorld {
        @Override
        public CompletableFuture<AttachActualStateOfWorld.Reading> read() {
            return threads.answered(agent.actual());
        }

        @Override
        public CompletableFuture<State> state(VolumeId volume, String node) {
            return threads.answered(agent.state(volume, node));
        }
    }

    private static ObjectKey object(AttachKey key) {
        if (key instanceof AttachKey.Pair pair) {
            return ObjectKey.node(pair.node());
        }
        return ObjectKey.node(((AttachKey.OfNode) key).node());
    }
}
