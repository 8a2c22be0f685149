package io.volume4j.inmemory.scenario;

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
 * Has controllers do only what they decide at single visits: with {@code sync: once} they look at an object when a {@code
 * visit} step names it, and carry out what they decided then, each step once, whatever its outcome. Belongs to one run, whose
 * world has one thread at a time.
 */
final class Visits<V, S extends Step> {
    /** The object that may be decided about now, null if none. */
    private @Nullable ObjectKey next;

    /** The object of the latest visit, and what was decided then and is not over. */
    private @Nullable ObjectKey visited;

    private List<S> decided = new ArrayList<>();

    /** The object whose view the planner is given. */
    private @Nullable ObjectKey viewed;

    /** The next plan for the object counts. */
    void permit(ObjectKey key) {
        next = key;
        visited = null;
        decided = new ArrayList<>();
    }

    /** Whether the visit has been made. */
    boolean made() {
        return next == null;
    }

    Seams<ObjectKey, V, S> limiting(Seams<ObjectKey, V, S> seams) {
        return seams.withWorld(world -> new Seen(seams.world().apply(world)))
                .withPlanner(planner -> limited(seams.planner().apply(planner)));
    }

    private Planner<V, S> limited(Planner<V, S> planner) {
        return view -> {
            ObjectKey key = viewed;
            if (key == null || !(key.equals(next) || key.equals(visited))) {
                return Plan.nothing();
            }
            Plan<S> plan = planner.plan(view);
            if (key.equals(next)) {
                next = null;
                visited = key;
                decided = new ArrayList<>(plan.steps());
            }
            return new Plan<>(plan.steps().stream().filter(decided::contains).toList(), List.of());
        };
    }

    /** Remembers of which object the planner is given the view. */
    private final class Seen extends Between<ObjectKey, V, S> {
        Seen(World<ObjectKey, V, S> world) {
            super(world);
        }

        @Override
        public @Nullable V view(ObjectKey key) {
            viewed = key;
            return super.view(key);
        }

        @Override
        public void completed(ObjectKey key, S step, Outcome outcome) {
            if (key.equals(visited)) {
                decided.remove(step);
            }
            super.completed(key, step, outcome);
        }
    }
}
