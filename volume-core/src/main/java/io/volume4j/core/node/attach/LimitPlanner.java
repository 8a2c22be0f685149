package io.volume4j.core.node.attach;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import java.util.List;

/**
 * A plugin is asked once for each registration, because a driver that comes back may be another version, and again whenever its
 * CSIDriver object wants that; what it says stands in the node's object, and of a driver in the CSINode object of the node. A limit that another program wrote is not removed: a plugin without one says nothing about it.
 */
final class LimitPlanner implements Planner<LimitView, LimitStep> {
    @Override
    public Plan<LimitStep> plan(LimitView view) {
        if (view.entry() == LimitView.Entry.TO_REMOVE) {
            return step(LimitStep.Kind.REMOVE_ENTRY, view, -1);
        }
        if (!view.nodeThere() || !view.reports()) {
            return Plan.nothing();
        }
        Long known = view.known();
        if (known == null) {
            return step(LimitStep.Kind.ASK, view, -1);
        }
        boolean stands = known > 0 ? known.equals(view.published()) : view.published() == null || !view.publishedHere();
        if (!stands) {
            return step(LimitStep.Kind.PUBLISH, view, known);
        }
        return view.entry() == LimitView.Entry.TO_WRITE
                ? step(LimitStep.Kind.WRITE_ENTRY, view, known)
                : Plan.nothing();
    }

    private static Plan<LimitStep> step(LimitStep.Kind kind, LimitView view, long volumes) {
        return new Plan<>(List.of(new LimitStep(kind, view.plugin(), volumes)), List.of());
    }
}
