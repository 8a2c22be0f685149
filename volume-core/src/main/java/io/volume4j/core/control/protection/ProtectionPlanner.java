package io.volume4j.core.control.protection;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One rule for claims, volumes and volume attributes classes: an object that is not being deleted gets the finalizer. A deleted
 * object loses it when no object uses it. The cache is checked first, and then the store itself, because the cache may be behind
 * and miss a user.
 */
public final class ProtectionPlanner {
    /** The maximum age of a read of the store. */
    public static final Duration FRESH = Duration.ofSeconds(5);

    /** Keeps a volume attributes class while claims or volumes refer to it. */
    public static final String ATTRIBUTES_CLASS = "kubernetes.io/vac-protection";

    private ProtectionPlanner() {}

    public static Plan<ClusterStep> plan(ProtectedView view) {
        PlanBuilder plan = new PlanBuilder(view.object().key(), LastEvents.nothing(), "protection");
        ApiObject object = view.object();
        boolean has = object.metadata().finalizers().contains(view.finalizer());
        if (!object.metadata().deleting()) {
            if (!has) {
                plan.writes("protect " + object.key(), List.of(with(view)), ClusterWork.Kind.WRITE, false);
            }
        } else if (has) {
            letGo(view, plan);
        }
        return plan.plan();
    }

    private static void letGo(ProtectedView view, PlanBuilder plan) {
        ApiObject object = view.object();
        if (!view.usersKnown()) {
            plan.waitFor("the cluster", "not all that may use " + object.key() + " is known");
        } else if (!view.usedBy().isEmpty()) {
            inUse(view.usedBy(), plan);
        } else if (view.at() != null && !view.fresh()) {
            plan.step(new ClusterWork.Look(object.key(), view.at()));
        } else if (view.seen() != null && !view.seen().isEmpty()) {
            inUse(view.seen(), plan);
            plan.waitUntil(view.seenAt() + FRESH.toNanos(), "the store shows a use that no watch has shown yet");
        } else {
            plan.writes("let " + object.key() + " go", List.of(without(view)), ClusterWork.Kind.WRITE, false);
        }
    }

    private static void inUse(List<String> users, PlanBuilder plan) {
        plan.waitFor("the end of its use", "deleted, but kept while it is used by " + String.join(", ", users));
    }

    private static ObjectWrite with(ProtectedView view) {
        List<String> finalizers = new ArrayList<>(view.object().metadata().finalizers());
        finalizers.add(view.finalizer());
        return write(view, finalizers);
    }

    private static ObjectWrite without(ProtectedView view) {
        List<String> finalizers = new ArrayList<>(view.object().metadata().finalizers());
        finalizers.remove(view.finalizer());
        return write(view, finalizers);
    }

    private static ObjectWrite write(ProtectedView view, List<String> finalizers) {
        return ObjectWrite.of(view.object(), List.of(FieldChange.set(finalizers, "metadata", "finalizers")));
    }
}
