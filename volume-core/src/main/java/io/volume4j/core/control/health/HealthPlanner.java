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
 * Asks for the health of a bound volume, and reports a problem and its end on the claim: with an event for each change and a
 * lasting condition. It writes nothing to a claim whose volume was always healthy. A plugin that does not answer says nothing about
 * the volume. If a plugin can list the health of its volumes, it is asked for the list. A list may miss a volume (CSI 1.13,
 * ControllerListVolumeHealth). If the claim reports a problem and the volume is not in the list, the controller asks for the volume
 * by name. Only then does it report the end of the problem.
 */
public final class HealthPlanner {
    /** The interval of questions about a volume. */
    public static final Duration EVERY = Duration.ofMinutes(5);

    /** The longest interval, for a volume about which the plugin repeatedly gives no answer. */
    public static final Duration LONGEST = Duration.ofHours(1);

    public static final String TOPIC = "health";
    public static final String CONDITION = "volume4j.io/VolumeHealthy";
    public static final String ABNORMAL = "VolumeConditionAbnormal";
    public static final String NORMAL = "VolumeConditionNormal";

    private HealthPlanner() {}

    public static Plan<ClusterStep> plan(HealthView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), view.told(), TOPIC);
        @Nullable Reading reading = view.reading();
        boolean doubtful =
                reading != null && reading.missed() && (reading.health().abnormal() || saysAbnormal(view.claim()));
        if (reading != null && reading.health().reported() && !doubtful) {
            tell(view, reading.health(), plan);
        }
        long due = reading == null ? view.now() : reading.at() + interval(reading);
        if (doubtful) {
            plan.step(check(view));
        } else if (view.now() - due < 0) {
            plan.lookAgainAt(due, text(reading));
        } else {
            ask(view, plan);
        }
        return plan.plan();
    }

    /** Asks for a list first, if the plugin has one: then most volumes need no separate question. */
    private static void ask(HealthView view, PlanBuilder plan) {
        switch (view.listing()) {
            case DUE -> plan.step(new HealthStep.ListAll(view.id().plugin()));
            case UNDER_WAY ->
                plan.lookAgainAt(
                        view.now() + EVERY.toNanos(), view.id().plugin() + " is being asked how all its volumes are");
            case NONE, READ -> plan.step(check(view));
        }
    }

    private static HealthStep.Check check(HealthView view) {
        return new HealthStep.Check(view.key(), view.volume().metadata().uid(), view.id());
    }

    /** The interval doubles after each question without an answer. */
    private static long interval(Reading reading) {
        return Math.min(EVERY.toNanos() << Math.min(reading.unanswered(), 10), LONGEST.toNanos());
    }

    private static String text(@Nullable Reading reading) {
        if (reading == null || !reading.health().reported()) {
            return "the plugin does not say how the volume is";
        }
        return reading.health().abnormal()
                ? "the volume is not well: " + reading.health().message()
                : "the volume is well";
    }

    private static boolean saysAbnormal(PersistentVolumeClaim claim) {
        return ClaimConditions.find(claim, CONDITION)
                .filter(stored -> "False".equals(stored.get("status")))
                .isPresent();
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
