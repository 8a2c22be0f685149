package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Optional;

/** Plans the end of a snapshot, or of a group snapshot, that a user deletes. */
final class SnapshotEnd {
    private SnapshotEnd() {}

    static void plan(SnapshotView view, PlanBuilder plan) {
        SnapshotFacts snapshot = view.snapshot();
        if (!view.restoringKnown()) {
            plan.waitFor("claims", "the claims of the cluster, or the members of the group, are not known completely");
            return;
        }
        if (!view.restoring().isEmpty()) {
            String why =
                    "the snapshot is kept while volumes are made from it for " + String.join(", ", view.restoring());
            plan.normal(snapshot.object(), SnapshotReason.DELETE_PENDING, why).waitFor("those claims", why);
            return;
        }
        String group = view.group().keeps();
        if (!group.isEmpty()) {
            plan.normal(snapshot.object(), SnapshotReason.DELETE_PENDING, group).waitFor("its group", group);
            return;
        }
        switch (view.content().state()) {
            case UNKNOWN, UNNAMED -> plan.waitFor("contents", "the contents of the cluster are not known completely");
            case MISSING -> plan.step(new ClusterWork.Verify(view.snapshot().contentKey(), ""));
            case ABSENT -> members(view, plan);
            case FOUND -> found(view, view.content().get(), plan);
        }
    }

    private static void found(SnapshotView view, ContentFacts content, PlanBuilder plan) {
        if (begunWith(view.snapshot(), content)) {
            // The content in the cache may be older than the snapshot. If it is, this write fails.
            plan.write(
                    "reserve " + content.key() + " for " + view.key(),
                    Optional.of(SnapshotWrites.bind(content, view.snapshot())));
        } else if (!content.belongsTo(view.snapshot())) {
            // The content belongs to another snapshot, or the controller never began with it.
            members(view, plan);
        } else if (!content.annotated(content.words().beingDeleted())) {
            plan.write(
                    "tell " + content.key() + " that its snapshot is being deleted",
                    Optional.of(SnapshotWrites.beingDeleted(content)));
        } else if (SnapshotPlanner.deletes(content) && !content.deleting()) {
            plan.step(new ClusterWork.Remove(content.key(), content.uid()));
        } else if (content.deleting()) {
            plan.waitFor(
                    "its content",
                    "the snapshot is kept until content " + content.key().name() + " is gone");
        } else {
            members(view, plan);
        }
    }

    /**
     * Whether the content belongs to the snapshot although it does not have its UID: the snapshot is bound to it, or both were
     * created for a member of a group.
     */
    private static boolean begunWith(SnapshotFacts snapshot, ContentFacts content) {
        boolean bound = snapshot.boundContent().equals(content.key().name());
        return content.wantedBy().uid().isEmpty()
                && content.names(snapshot)
                && (bound || !content.groupContent().isEmpty());
    }

    /** Deleting a group deletes the snapshots of its members. */
    private static void members(SnapshotView view, PlanBuilder plan) {
        view.leftMembers().stream()
                .filter(member -> !member.metadata().deleting())
                .forEach(member -> plan.step(
                        new ClusterWork.Remove(member.key(), member.metadata().uid())));
        if (!view.leftMembers().isEmpty()) {
            plan.waitFor("its members", "the group is kept until the snapshots of its members are gone");
            return;
        }
        plan.write(
                "let " + view.key() + " go",
                SnapshotWrites.withoutFinalizers(
                        view.snapshot().object(),
                        List.of(
                                view.snapshot().words().keepsSnapshot(),
                                WellKnown.SNAPSHOT_SOURCE_PROTECTION,
                                WellKnown.SNAPSHOT_GROUP_PROTECTION)));
    }
}
