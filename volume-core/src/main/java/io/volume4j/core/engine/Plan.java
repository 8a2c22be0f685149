package io.volume4j.core.engine;

import java.util.List;

/**
 * What a planner decided: steps that may be done now, in the order of preference, and what it waits for otherwise. An
 * empty plan means that everything is as it should be.
 */
public record Plan<S extends Step>(List<S> steps, List<Wait> waits) {
    public Plan {
        steps = List.copyOf(steps);
        waits = List.copyOf(waits);
    }

    public static <S extends Step> Plan<S> nothing() {
        return new Plan<>(List.of(), List.of());
    }

    public boolean isEmpty() {
        return steps.isEmpty() && waits.isEmpty();
    }
}
