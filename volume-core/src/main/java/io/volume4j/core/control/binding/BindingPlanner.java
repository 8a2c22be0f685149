package io.volume4j.core.control.binding;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;

/** Decides about claims and volumes, each with its own planner. */
public final class BindingPlanner implements Planner<BindingView, BindingStep> {
    @Override
    public Plan<BindingStep> plan(BindingView view) {
        if (view instanceof ClaimView claim) {
            return ClaimPlanner.plan(claim);
        }
        if (view instanceof VolumeView volume) {
            return VolumePlanner.plan(volume);
        }
        throw new IllegalArgumentException("no planner for " + view.key());
    }
}
