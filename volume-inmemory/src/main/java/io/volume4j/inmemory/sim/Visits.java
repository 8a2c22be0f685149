package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.engine.World;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits the controllers of objects to single visits: they decide at a visit and execute that decision, each step once,
 * whatever its outcome. Belongs to one world, which runs one thread at a time.
 */
final class Visits implements EngineSeams.Change {
    /** The object of the permitted decision, null if there is none. */
    private @Nullable ObjectKey next;

    /** The object of the last visit, with the unfinished steps of its decision. */
    private @Nullable ObjectKey visited;

    private List<Step> decided = new ArrayList<>();

    /** The object whose view the planner gets. */
    private @Nullable Object viewed;

    /** Permits the next plan for the object. */
    void permit(ObjectKey key) {
        next = key;
        visited = null;
        decided = new ArrayList<>();
    }

    /** Whether the visit has happened. */
    boolean made() {
        return next == null;
    }

    @Override
    public <K, V, S extends Step> Seams<K, V, S> of(String reconciler, Seams<K, V, S> seams) {
        return reconciler.equals("binding")
                ? seams.withWorld(world -> new Seen<>(seams.world().apply(world)))
                        .withPlanner(planner -> limited(seams.planner().apply(planner)))
                : seams;
    }

    private <V, S extends Step> Planner<V, S> limited(Planner<V, S> planner) {
        return view -> {
            @Nullable Object key = viewed;
            if (key == null || !(key.equals(next) || key.equals(visited))) {
                return Plan.nothing();
            }
            Plan<S> plan = planner.plan(view);
            if (key.equals(next)) {
                visited = next;
                next = null;
                decided = new ArrayList<>(plan.steps());
            }
            return new Plan<>(plan.steps().stream().filter(decided::contains).toList(), List.of());
        };
    }

    /** Records the object whose view the planner gets. */
    private final class Seen<K, V, S extends Step> extends PassingWorld<K, V, S> {
        Seen(World<K, V, S> world) {
            super(world);
        }

        @Override
        public @Nullable V view(K key) {
            viewed = key;
            return super.view(key);
        }

        @Override
        public void completed(K key, S step, Outcome outcome) {
            if (key.equals(visited)) {
                decided.remove(step);
            }
            super.completed(key, step, outcome);
        }
    }
}
