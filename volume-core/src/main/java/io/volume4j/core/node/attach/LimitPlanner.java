package io.volume4j.core.node.attach;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import java.util.List;

/**
 * A plugin is asked once for each registration, because a driver that comes back may be another version; what it says stands
 * in the node's object. A limit that another program wrote is not removed: a plugin without one says nothing about it.
 */
final class LimitPlanner implements Planner<LimitView, LimitStep> {
    @Override
    public Plan<LimitStep> plan(LimitView view) {
        if (!view.nodeThere() || !view.reports()) {
            return Plan.nothing();
        }
        Long known = view.known();
        if (known == null) {
            return step(LimitStep.Kind.ASK, view, -1);
        }
        boolean stands = known > 0 ? known.equals(view.published()) : view.published() == null || !view.publishedHere();
        return stands ? Plan.nothing() : step(LimitStep.Kind.PUBLISH, view, known);
    }

    private static Plan<LimitStep> step(LimitStep.Kind kind, LimitView view, long volumes) {
        return new Plan<>(List.of(new LimitStep(kind, view.plugin(), volumes)), List.of());
    }
}
