package io.volume4j.core.control.attach.plan;

import io.volume4j.core.control.attach.plan.PairView.Recorded;
import io.volume4j.core.control.attach.plan.PairView.Use;
import io.volume4j.spi.host.Fence;
import org.jspecify.annotations.Nullable;

/**
 * Whether the controller may detach a volume that no pod wants on a node. Pure.
 *
 * @param allowed whether it may
 * @param returned whether it may because the node does not use the volume
 * @param force the evidence that replaces the node's report, null if the node does not use the volume
 * @param why the reason, for users
 * @param lookAgainAt loop time at which the answer may change by itself, {@code Long.MAX_VALUE} if only events change it
 */
public record DetachDecision(
        boolean allowed, boolean returned, @Nullable Fence force, String why, long lookAgainAt) {
    public static DetachDecision of(PairView view) {
        if (!mayBeUsed(view)) {
            return new DetachDecision(true, true, null, "the node does not use it", Long.MAX_VALUE);
        }
        if (view.seenAbsent() && !usedByHealthyNode(view)) {
            return yes(null, "the backend does not have it attached there");
        }
        if (view.fence() != null) {
            return yes(view.fence(), view.fence().evidence());
        }
        String use = view.use() == Use.IN_USE
                ? "node " + view.node() + " reports that it uses the volume"
                : "it is not known whether node " + view.node() + " uses the volume";
        if (view.nodeHealthy()) {
            boolean anew = view.use() == Use.UNKNOWN && view.believedAt() != Long.MAX_VALUE;
            return anew
                    ? no(use + ": its object is new, and the volume was attached before", view.believedAt())
                    : no(use, Long.MAX_VALUE);
        }
        String state = use + (view.nodeThere() ? ", and is not ready" : ", and its object is gone");
        if (view.riskAfterNanos() > 0 && !view.desired()) {
            long due = view.unwantedSince() + view.riskAfterNanos();
            if (view.now() >= due) {
                return yes(new Fence(Fence.Kind.ACCEPTED_RISK, view.node(), "unknown for too long: " + state), state);
            }
            return no(state + "; it will be detached without evidence after the accepted time", due);
        }
        return no(
                state + "; needs evidence that the node is cut off: a fencing authority, the taint"
                        + " node.kubernetes.io/out-of-service, or a fence given to the controller",
                Long.MAX_VALUE);
    }

    /** A node uses only volumes that a controller granted to it, or that another controller attached to it. */
    private static boolean mayBeUsed(PairView view) {
        Recorded record = view.record();
        boolean mayRely = view.granted() || view.held() || (record != null && record.adopted());
        return (mayRely && view.use() != Use.FREE) || (record != null && reportedWithoutGrant(view, record));
    }

    /**
     * Another program may have removed the grants from the node's object. The agent of a healthy node soon reports what it does not use. A
     * node without grant that waits for the end of its deleted record reports the volume too, and must not block that.
     */
    private static boolean reportedWithoutGrant(PairView view, Recorded record) {
        return record.attached() && !record.deleting() && view.nodeHealthy() && view.use() == Use.IN_USE;
    }

    /**
     * A backend may answer from an old list. A healthy node that uses the volume will report when it does not use it any more. But a node
     * also reports what it only waits for: the volume of an adopted record that is detached already, and is deleted before the next attach.
     */
    private static boolean usedByHealthyNode(PairView view) {
        Recorded record = view.record();
        boolean awaited = view.desired() && !view.shown() && record != null && record.adopted() && record.deleting();
        return view.nodeHealthy() && view.use() == Use.IN_USE && !awaited;
    }

    private static DetachDecision yes(@Nullable Fence force, String why) {
        return new DetachDecision(true, false, force, why, Long.MAX_VALUE);
    }

    private static DetachDecision no(String why, long lookAgainAt) {
        return new DetachDecision(false, false, null, why, lookAgainAt);
    }
}
