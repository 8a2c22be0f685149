package io.volume4j.core.node.view;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.VolumeView.Expansion;
import io.volume4j.core.node.VolumeView.PodUse;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.volumes.VolumePlan.PlannedStep;
import io.volume4j.core.volumes.VolumeTransition;
import java.util.ArrayList;
import java.util.List;

/**
 * Forecasts all steps for a volume: it treats each step as done and runs the planner again. Changes nothing. Loop
 * thread only.
 */
public final class Forecast {
    /** A limit for a planner that never finishes because of a defect. */
    private static final int MOST_STEPS = 4096;

    private final Planner<VolumeView, NodeStep> planner;
    private final StepSubjects subjects;
    private final Preparation preparation;

    public Forecast(Planner<VolumeView, NodeStep> planner, StepSubjects subjects, Preparation preparation) {
        this.planner = planner;
        this.subjects = subjects;
        this.preparation = preparation;
    }

    public VolumePlan of(VolumeView first) {
        List<PlannedStep> steps = new ArrayList<>();
        List<String> waits = new ArrayList<>();
        VolumeView view = first;
        while (steps.size() < MOST_STEPS) {
            Plan<NodeStep> plan = planner.plan(view);
            waits.clear();
            plan.waits().forEach(wait -> waits.add(wait.why()));
            if (plan.steps().isEmpty()) {
                break;
            }
            NodeStep step = plan.steps().get(0);
            steps.add(new PlannedStep(
                    VolumeTransition.Action.valueOf(step.kind().name()), step.podUid(), step.describe()));
            if (step.kind() == NodeStep.Kind.FORGET) {
                break;
            }
            VolumeView next = after(view, step);
            if (next.equals(view)) {
                break;
            }
            view = next;
        }
        return new VolumePlan(first.id(), first.name(), steps, waits);
    }

    private VolumeView after(VolumeView view, NodeStep step) {
        return switch (step.kind()) {
            case ATTACH, CONFIRM_ATTACHED -> view.withAttach(AttachState.ATTACHED);
            case DETACH -> view.withAttach(AttachState.DETACHED);
            case MOUNT_DEVICE -> view.withDevice(MountState.MOUNTED);
            case UNMOUNT_DEVICE -> view.withDevice(MountState.NOT_MOUNTED);
            case APPLY_FS_GROUP -> view.withPods(mounted(view, step.podUid(), preparation.afterOwnership(row(step))));
            case MAP_IDS -> view.withPods(mounted(view, step.podUid(), preparation.afterIds(row(step))));
            case BIND_SUBPATHS -> view.withPods(mounted(view, step.podUid(), MountState.MOUNTED));
            case MOUNT -> view.withPods(mounted(view, step.podUid(), preparation.afterMount(row(step))));
            case REMOUNT -> view.withPods(mounted(view, step.podUid(), MountState.MOUNTED));
            case UNMOUNT -> view.withPods(mounted(view, step.podUid(), MountState.NOT_MOUNTED));
            case EXPAND -> view.withExpansion(Expansion.none());
            case TELL_SIZE -> view.withExpansion(view.expansion().told());
            case FORGET -> view;
        };
    }

    private MountRow row(NodeStep step) {
        return subjects.mountRow(step.volume(), step.podUid());
    }

    private static List<PodUse> mounted(VolumeView view, String podUid, MountState state) {
        List<PodUse> uses = new ArrayList<>();
        for (PodUse use : view.pods()) {
            uses.add(use.podUid().equals(podUid) ? use.withMount(state) : use);
        }
        return uses;
    }
}
