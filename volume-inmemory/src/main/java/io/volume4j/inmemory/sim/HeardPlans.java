package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import java.util.function.BiConsumer;

/**
 * Reports each plan to a listener.
 *
 * @param listener gets the reconciler's name and its plan
 */
record HeardPlans(BiConsumer<String, Plan<? extends Step>> listener) implements EngineSeams.Change {
    @Override
    public <K, V, S extends Step> Seams<K, V, S> of(String reconciler, Seams<K, V, S> seams) {
        return seams.withPlanner(planner -> {
            Planner<V, S> decides = seams.planner().apply(planner);
            return view -> {
                Plan<S> decided = decides.plan(view);
                listener.accept(reconciler, decided);
                return decided;
            };
        });
    }
}
