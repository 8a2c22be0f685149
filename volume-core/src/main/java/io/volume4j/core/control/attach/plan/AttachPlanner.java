package io.volume4j.core.control.attach.plan;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Wait;
import java.util.List;

/** Selects the planner for each kind of view. */
public final class AttachPlanner implements Planner<AttachView, AttachStep> {
    @Override
    public Plan<AttachStep> plan(AttachView view) {
        if (view instanceof PairView pair) {
            return PairPlanner.plan(pair);
        }
        if (view instanceof NodeView node) {
            return GrantPlanner.plan(node);
        }
        return verify((DriverView) view);
    }

    private static Plan<AttachStep> verify(DriverView view) {
        if (!view.observes() || view.attachments() == 0) {
            return Plan.nothing();
        }
        return view.verifyAt() <= view.now()
                ? new Plan<>(List.of(new AttachStep.Verify(view.driver())), List.of())
                : new Plan<>(List.of(), List.of(Wait.routinely(view.verifyAt(), "for the next verification")));
    }
}
