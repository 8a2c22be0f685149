package io.volume4j.core.control.health;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.ClaimConditions;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.HealthReporter.Health;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks how a bound volume is, and tells its claim when that is not as it should be, and when it is again: by an event for each
 * change and by a condition that stays. A claim whose volume was always well is never written to, and a plugin that does not
 * answer says nothing about the volume.
 */
public final class HealthPlanner {
    /** How often a volume is asked about. */
    public static final Duration EVERY = Duration.ofMinutes(5);

    public static final String TOPIC = "health";
    public static final String CONDITION = "volume4j.io/VolumeHealthy";
    public static final String ABNORMAL = "VolumeConditionAbnormal";
    public static final String NORMAL = "VolumeConditionNormal";

    private HealthPlanner() {}

    public static Plan<ClusterStep> plan(HealthView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), view.told(), TOPIC);
        @Nullable Health answer = view.answer();
        long due = view.answeredAt() + EVERY.toNanos();
        if (answer != null && answer.reported()) {
            tell(view, answer, plan);
        }
        if (answer == null || view.now() - due >= 0) {
            plan.step(new HealthStep(view.key(), view.volume().metadata().uid(), view.id()));
        } else {
            plan.lookAgainAt(
                    due,
                    !answer.reported()
                            ? "the plugin does not say how the volume is"
                            : answer.abnormal() ? "the volume is not well: " + answer.message() : "the volume is well");
        }
        return plan.plan();
    }

    private static void tell(HealthView view, Health answer, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        if (!answer.abnormal() && ClaimConditions.find(claim, CONDITION).isEmpty()) {
            return;
        }
        Optional<FieldChange> change = ClaimConditions.with(claim, condition(answer));
        plan.report(
                "tell " + claim.key() + " how its volume is",
                change.map(changed -> ObjectWrite.ofStatus(claim, List.of(changed))));
        if (answer.abnormal()) {
            plan.change(Event.Type.WARNING, claim, ABNORMAL, answer.message());
        } else if (change.isPresent()) {
            plan.change(Event.Type.NORMAL, claim, NORMAL, "the volume is well again");
        }
    }

    private static Map<String, Object> condition(Health answer) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", CONDITION);
        condition.put("status", answer.abnormal() ? "False" : "True");
        condition.put("reason", answer.abnormal() ? ABNORMAL : NORMAL);
        condition.put("message", answer.message());
        return condition;
    }
}
