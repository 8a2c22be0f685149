package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Protects claims while they are sources. The finalizer for snapshots is set together with the snapshot's finalizer, before the
 * creation, and is removed here. The finalizer for clones is set and removed here. No clone begins without it.
 */
public final class SourcePlanner {
    private SourcePlanner() {}

    public static Plan<ClusterStep> plan(SourceView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), LastEvents.nothing(), "source");
        PersistentVolumeClaim claim = view.claim();
        List<String> finalizers = new ArrayList<>(claim.metadata().finalizers());
        @Nullable List<String> cut = view.cutBy();
        if (cut != null && cut.isEmpty()) {
            finalizers.remove(WellKnown.SNAPSHOTTED_PROTECTION);
        } else if (cut != null && claim.metadata().deleting()) {
            plan.waitFor(
                    "the snapshots",
                    "deleted, but kept while a snapshot of it is created for " + String.join(", ", cut));
        }
        @Nullable List<String> cloned = view.clonedBy();
        boolean pinned = finalizers.contains(WellKnown.CLONING_PROTECTION);
        if (cloned != null && cloned.isEmpty()) {
            finalizers.remove(WellKnown.CLONING_PROTECTION);
        } else if (cloned != null && !pinned && !claim.metadata().deleting()) {
            finalizers.add(WellKnown.CLONING_PROTECTION);
        } else if (cloned != null && pinned && claim.metadata().deleting()) {
            plan.waitFor("the clones", "deleted, but kept while " + String.join(", ", cloned) + " is cloned from it");
        }
        if (!finalizers.equals(claim.metadata().finalizers())) {
            ObjectWrite write = SnapshotWrites.finalizers(claim, finalizers);
            plan.writes(
                    "keep " + claim.key() + " as a source no longer than needed",
                    List.of(write),
                    ClusterWork.Kind.WRITE,
                    false);
        }
        return plan.plan();
    }
}
