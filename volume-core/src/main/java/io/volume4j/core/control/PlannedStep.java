package io.volume4j.core.control;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Step;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A step that a controller would take now.
 *
 * @param object the object that the step is for
 * @param kind the kind of step, such as {@code WRITE}, {@code PROVISION}, {@code DELETE}
 * @param description a description of the step, for users
 * @since 0.1.0
 */
public record PlannedStep(ObjectKey object, String kind, String description) {
    /** The steps of plans, in the order of the plans. */
    static List<PlannedStep> of(Map<ObjectKey, ? extends Plan<? extends Step>> plans) {
        List<PlannedStep> steps = new ArrayList<>();
        plans.forEach((object, plan) -> plan.steps()
                .forEach(step -> steps.add(new PlannedStep(object, step.kind().name(), step.describe()))));
        return List.copyOf(steps);
    }

    @Override
    public String toString() {
        return object + ": " + description;
    }
}
