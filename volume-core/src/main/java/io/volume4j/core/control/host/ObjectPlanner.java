package io.volume4j.core.control.host;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Wait;
import java.util.ArrayList;
import java.util.List;

/** Joins the plans of several features for one object. Their conflict keys separate them. */
final class ObjectPlanner implements Planner<ObjectView, ClusterStep> {
    @Override
    public Plan<ClusterStep> plan(ObjectView view) {
        return view.pace().apply(together(view));
    }

    private static Plan<ClusterStep> together(ObjectView view) {
        if (view.parts().size() == 1) {
            return view.parts().get(0).plan();
        }
        List<ClusterStep> steps = new ArrayList<>();
        List<Wait> waits = new ArrayList<>();
        for (ObjectView.Part<?> part : view.parts()) {
            Plan<ClusterStep> plan = part.plan();
            steps.addAll(plan.steps());
            waits.addAll(plan.waits());
        }
        return new Plan<>(steps, waits);
    }
}
