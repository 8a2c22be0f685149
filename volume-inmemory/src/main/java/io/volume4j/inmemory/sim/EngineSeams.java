package io.volume4j.inmemory.sim;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ObjectView;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.function.BiConsumer;

/**
 * What comes between the engines of a world and their parts, by reconciler: mutants, listeners of plans, and those who
 * chooses what becomes of calls.
 */
record EngineSeams(
        Seams<VolumeId, VolumeView, NodeStep> node,
        Seams<AttachKey, AttachView, AttachStep> attach,
        Seams<ObjectKey, RecordView, RecordStep> record,
        Seams<ObjectKey, ObjectView, ClusterStep> binding) {

    /** The same, with a listener that is told of each plan and which reconciler made it. */
    EngineSeams heardBy(BiConsumer<String, Plan<? extends Step>> listener) {
        return new EngineSeams(
                heard("node", node, listener),
                heard("attach", attach, listener),
                heard("record", record, listener),
                heard("binding", binding, listener));
    }

    private static <K, V, S extends Step> Seams<K, V, S> heard(
            String reconciler, Seams<K, V, S> seams, BiConsumer<String, Plan<? extends Step>> listener) {
        return seams.withPlanner(planner -> {
            Planner<V, S> decides = seams.planner().apply(planner);
            return view -> {
                Plan<S> decided = decides.plan(view);
                listener.accept(reconciler, decided);
                return decided;
            };
        });
    }

    /** The same, with calls that wait to be told what becomes of them. */
    EngineSeams exploredBy(OpenCalls calls) {
        return new EngineSeams(
                calls.announcing(node), calls.announcing(attach), calls.announcing(record), calls.announcing(binding));
    }
}
