package io.volume4j.core.control.unused;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.WriteTime;
import io.volume4j.core.control.host.facts.ClaimConditions;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reports in a condition of a claim whether no pod uses it. The type, the reasons and the rule are those of Kubernetes (KEP-5541):
 * a pod that waits for a node uses its claims; a pod that has ended does not. The condition has the time of the last change, so
 * {@code Unused=True} shows since when.
 */
public final class UnusedPlanner {
    public static final String CONDITION = "Unused";
    public static final String UNUSED = "NoPodsUsingPVC";
    public static final String USED = "PodUsingPVC";

    private UnusedPlanner() {}

    public static Plan<ClusterStep> plan(UnusedView view) {
        PersistentVolumeClaim claim = view.claim();
        PlanBuilder plan = new PlanBuilder(claim.key(), LastEvents.nothing());
        if (!view.used() && !view.podsKnown()) {
            return plan.waitFor("pods", "the pods of the cluster are not known completely")
                    .plan();
        }
        return plan.report(
                        "write whether pods use " + claim.key(),
                        ClaimConditions.with(claim, condition(view.used()))
                                .map(change -> ObjectWrite.ofStatus(claim, List.of(change))))
                .plan();
    }

    private static Map<String, Object> condition(boolean used) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", CONDITION);
        condition.put("status", used ? "False" : "True");
        condition.put("reason", used ? USED : UNUSED);
        condition.put("message", used ? "a pod uses the claim" : "no pod uses the claim");
        condition.put("lastTransitionTime", WriteTime.NOW);
        return condition;
    }
}
