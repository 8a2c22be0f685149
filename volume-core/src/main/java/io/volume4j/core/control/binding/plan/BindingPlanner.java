package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;

/** Plans for claims and volumes, with a planner for each. */
public final class BindingPlanner implements Planner<BindingView, ClusterStep> {
    @Override
    public Plan<ClusterStep> plan(BindingView view) {
        return view instanceof ClaimView claim ? ClaimPlanner.plan(claim) : VolumePlanner.plan((VolumeView) view);
    }
}
