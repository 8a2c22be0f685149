package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.control.capacity.CapacityPlanner;
import io.volume4j.core.control.ephemeral.EphemeralPlanner;
import io.volume4j.core.control.expand.ExpandPlanner;
import io.volume4j.core.control.expand.ModifyPlanner;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.populate.PopulatePlanner;
import io.volume4j.core.control.protection.ProtectionPlanner;
import io.volume4j.core.control.snapshot.ContentPlanner;
import io.volume4j.core.control.snapshot.ContentView;
import io.volume4j.core.control.snapshot.SnapshotPlanner;
import io.volume4j.core.control.snapshot.SnapshotView;
import io.volume4j.core.control.snapshot.SourcePlanner;
import io.volume4j.core.control.snapshot.SourceView;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Wait;
import java.util.ArrayList;
import java.util.List;

/** Puts the plans of several tasks for one object side by side; their conflict keys keep them apart. */
final class TaskPlanner implements Planner<BindingView, ClusterStep> {
    private final Planner<BindingView, ClusterStep> binding;

    /** @param binding decides where no other task has anything to say, and first where one has */
    TaskPlanner(Planner<BindingView, ClusterStep> binding) {
        this.binding = binding;
    }

    @Override
    public Plan<ClusterStep> plan(BindingView view) {
        TaskView object = (TaskView) view;
        List<ClusterStep> steps = new ArrayList<>();
        List<Wait> waits = new ArrayList<>();
        if (object.binding() != null) {
            add(binding.plan(object.binding()), steps, waits);
        }
        if (object.expand() != null) {
            add(ExpandPlanner.plan(object.expand()), steps, waits);
            add(ModifyPlanner.plan(object.expand()), steps, waits);
        }
        if (object.pod() != null) {
            add(EphemeralPlanner.plan(object.pod()), steps, waits);
        }
        if (object.owned() != null) {
            add(EphemeralPlanner.plan(object.owned()), steps, waits);
        }
        if (object.protection() != null) {
            add(ProtectionPlanner.plan(object.protection()), steps, waits);
        }
        if (object.capacity() != null) {
            add(CapacityPlanner.plan(object.capacity()), steps, waits);
        }
        if (object.populate() != null) {
            add(PopulatePlanner.plan(object.populate()), steps, waits);
        }
        if (object.snapshots() instanceof SnapshotView snapshot) {
            add(SnapshotPlanner.plan(snapshot), steps, waits);
        } else if (object.snapshots() instanceof ContentView content) {
            add(ContentPlanner.plan(content), steps, waits);
        } else if (object.snapshots() instanceof SourceView source) {
            add(SourcePlanner.plan(source), steps, waits);
        }
        return new Plan<>(steps, waits);
    }

    private static void add(Plan<ClusterStep> plan, List<ClusterStep> steps, List<Wait> waits) {
        steps.addAll(plan.steps());
        waits.addAll(plan.waits());
    }
}
