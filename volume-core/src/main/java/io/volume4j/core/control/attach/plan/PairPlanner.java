package io.volume4j.core.control.attach.plan;

import io.volume4j.core.control.attach.plan.AttachStep.CheckNode;
import io.volume4j.core.control.attach.plan.AttachStep.Claim;
import io.volume4j.core.control.attach.plan.AttachStep.CreateRecord;
import io.volume4j.core.control.attach.plan.AttachStep.DeleteRecord;
import io.volume4j.core.control.attach.plan.AttachStep.Tell;
import io.volume4j.core.control.attach.plan.PairView.Holder;
import io.volume4j.core.control.attach.plan.PairView.Recorded;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy for one volume on one node:
 *
 * <ol>
 *   <li>A pod there wants it: the controller stores a VolumeAttachment, which is the intent to attach. It does not if another node
 *       has or may have a volume that only one node may have, or if the node is full. {@link RecordPlanner} carries the
 *       VolumeAttachment out. When the volume is attached, {@link GrantPlanner} grants it to the node. If two nodes wait for each
 *       other, the controller withdraws one of the two intents.
 *   <li>No pod wants it: when the node does not use it, or evidence replaces the node's report, {@link GrantPlanner} removes it
 *       from the node's object. Then the controller deletes the VolumeAttachment, which is the intent to detach.
 *   <li>If a fact is unknown, the controller changes nothing.
 * </ol>
 */
public final class PairPlanner {
    /** A healthy node has this long to unmount. After that the controller writes an event. */
    static final Duration UNMOUNTING = Duration.ofMinutes(2);

    private PairPlanner() {}

    static Plan<AttachStep> plan(PairView view) {
        Draft draft = new Draft();
        if (!view.unknown().isEmpty()) {
            draft.wait("cluster", view.unknown());
        } else if (!view.managed()) {
            draft.wait("node", "not handled here: volumes of node " + view.node() + " are not attached from here");
        } else if (view.desired()) {
            attach(view, draft);
        } else {
            detach(view, draft);
        }
        return draft.plan();
    }

    private static void attach(PairView view, Draft draft) {
        Recorded record = view.record();
        boolean blocked = view.oneNodeOnly() && !view.holders().isEmpty();
        if (record == null) {
            if (blocked) {
                multiAttach(view, draft);
            } else if (!view.limit().isEmpty()) {
                draft.tell(view, LastEvent.full(view.limit()));
                draft.wait("detach", view.limit());
            } else if (view.settledAt() > view.now()) {
                draft.waitUntil(view.settledAt(), "an earlier call may still take effect");
            } else {
                draft.step(new CreateRecord(view.volume(), view.node(), view.oneNodeOnly(), false));
            }
        } else if (record.deleting()) {
            ending(view, record, draft, "its earlier attachment to node " + view.node() + " is being ended first");
        } else if (!record.attached()) {
            if (!blocked) {
                draft.wait("attach", "until VolumeAttachment " + record.name() + " is attached");
            } else if (view.givesWay()) {
                detach(view, draft);
            } else {
                multiAttach(view, draft);
            }
        } else if (!view.shown() || view.superseded()) {
            if (record.ours()) {
                draft.wait("node status", "until the node's object shows the attachment");
            } else {
                draft.step(new Claim(view.volume(), view.node(), record.name(), record.uid(), record.revision()));
            }
        }
    }

    /**
     * The program that asked for the detach possibly did not check the node, and did not remove the volume from the node's object.
     */
    private static void ending(PairView view, Recorded record, Draft draft, String why) {
        if (record.ours()) {
            if (!view.nodeChecked() && view.nodeThere()) {
                draft.step(new CheckNode(view.volume(), view.node(), record.uid()));
            }
        } else if (view.shown() && DetachDecision.of(view).allowed()) {
            draft.step(new Claim(view.volume(), view.node(), record.name(), record.uid(), record.revision()));
        }
        draft.wait("detach", why);
    }

    private static void multiAttach(PairView view, Draft draft) {
        draft.tell(view, LastEvent.multiAttach(view));
        Holder holder = view.holders().get(0);
        draft.wait("detach", "only one node may have the volume, and " + holder.node() + " has it or may have it");
    }

    private static void detach(PairView view, Draft draft) {
        Recorded record = view.record();
        if (record == null && !view.held()) {
            return;
        }
        if (!view.doubt().isEmpty()) {
            draft.wait("pod or claim", "not detached from node " + view.node() + ": " + view.doubt());
            return;
        }
        DetachDecision verdict = DetachDecision.of(view);
        if (!verdict.allowed()) {
            waitForNode(view, verdict, draft);
        } else if (record == null) {
            draft.step(new CreateRecord(view.volume(), view.node(), view.oneNodeOnly(), true));
        } else if (record.deleting()) {
            ending(view, record, draft, "until VolumeAttachment " + record.name() + " is gone");
        } else if (!record.ours()) {
            draft.step(new Claim(view.volume(), view.node(), record.name(), record.uid(), record.revision()));
        } else if (!view.nodeChecked() && view.nodeThere()) {
            draft.step(new CheckNode(view.volume(), view.node(), record.uid()));
        } else if (view.shown()) {
            draft.wait("node status", "until the node's object no longer shows the attachment");
        } else {
            draft.step(new DeleteRecord(
                    view.volume(), view.node(), record.name(), record.uid(), record.revision(), verdict.force()));
        }
    }

    private static void waitForNode(PairView view, DetachDecision verdict, Draft draft) {
        long tellAt = view.unwantedSince() + UNMOUNTING.toNanos();
        long lookAgainAt = verdict.lookAgainAt();
        if (view.nodeHealthy() && view.now() < tellAt) {
            lookAgainAt = Math.min(lookAgainAt, tellAt);
        } else {
            draft.tell(view, LastEvent.detachWaits(view, verdict));
        }
        draft.waits.add(Wait.on("node", verdict.why(), lookAgainAt));
    }

    /** A plan that is not complete yet. Most pairs are settled, so the lists begin without an array. */
    private static final class Draft {
        private final List<AttachStep> steps = new ArrayList<>(0);
        private final List<Wait> waits = new ArrayList<>(0);

        void step(AttachStep step) {
            steps.add(step);
        }

        void tell(PairView view, LastEvent told) {
            if (!told.equals(view.told())) {
                steps.add(new Tell(view.volume(), view.node(), told));
            }
        }

        void wait(String wakeOn, String why) {
            waits.add(Wait.on(wakeOn, why));
        }

        void waitUntil(long at, String why) {
            waits.add(Wait.until(at, why));
        }

        Plan<AttachStep> plan() {
            return new Plan<>(steps, waits);
        }
    }
}
