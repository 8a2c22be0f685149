package io.volume4j.core.control.attach.plan;

import io.volume4j.core.control.attach.plan.RecordStep.Kind;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Wait;
import java.util.ArrayList;
import java.util.List;

/**
 * How this process or an external attacher carries out a VolumeAttachment:
 *
 * <ol>
 *   <li>It sets a finalizer before any call to the driver.
 *   <li>While the record is not being deleted, it asks the driver to attach, and writes the outcome to the status. If the names of
 *       records contain the node, it first reserves a volume for one node for the record.
 *   <li>When the record is being deleted, it asks the driver to detach, after all its attach calls have taken effect or cannot any
 *       more. It removes the finalizer only after the detach succeeded.
 * </ol>
 */
public final class RecordPlanner implements Planner<RecordView, RecordStep> {
    @Override
    public Plan<RecordStep> plan(RecordView view) {
        List<RecordStep> steps = new ArrayList<>(2);
        List<Wait> waits = new ArrayList<>(1);
        if (view.subject() == RecordView.Subject.FREED_VOLUME) {
            steps.add(step(Kind.RELEASE_VOLUME, view));
        } else if (view.deleting()) {
            detach(view, steps, waits);
        } else if (!view.attached() || view.lost() || view.answered() || view.left()) {
            attach(view, steps, waits);
        }
        return new Plan<>(steps, waits);
    }

    private static void attach(RecordView view, List<RecordStep> steps, List<Wait> waits) {
        if (!view.mayAttach().isEmpty()) {
            waits.add(Wait.on("cluster", view.mayAttach()));
        } else if (!view.ours()) {
            steps.add(step(Kind.CLAIM, view));
        } else if (view.answered()) {
            steps.add(step(Kind.RECORD_ATTACHED, view));
        } else if (!view.reserved()) {
            steps.add(step(Kind.RESERVE, view));
        } else if (view.settledAt() > view.now()) {
            waits.add(Wait.until(view.settledAt(), "an earlier call may still take effect"));
        } else {
            recordError(view, steps);
            steps.add(step(Kind.ATTACH, view));
        }
    }

    private static void detach(RecordView view, List<RecordStep> steps, List<Wait> waits) {
        if (!view.held()) {
            return;
        }
        if (!view.mayDetach().isEmpty()) {
            waits.add(Wait.on("cluster", view.mayDetach(), view.mayDetachAt()));
        } else if (!view.ours()) {
            steps.add(step(Kind.CLAIM, view));
        } else if (view.detached()) {
            steps.add(step(Kind.RELEASE, view));
        } else if (view.settledAt() > view.now()) {
            waits.add(Wait.until(view.settledAt(), "an earlier attach call may still take effect"));
        } else {
            recordError(view, steps);
            steps.add(step(Kind.DETACH, view));
        }
    }

    private static void recordError(RecordView view, List<RecordStep> steps) {
        if (!view.error().isEmpty()) {
            steps.add(step(Kind.RECORD_ERROR, view));
        }
    }

    private static RecordStep step(Kind kind, RecordView view) {
        boolean call = kind == Kind.ATTACH || kind == Kind.DETACH;
        return new RecordStep(
                kind,
                view.record(),
                view.uid(),
                call ? "" : view.revision(),
                view.volume(),
                view.node(),
                view.oneNodeOnly(),
                kind == Kind.RECORD_ERROR ? view.error() : "");
    }
}
