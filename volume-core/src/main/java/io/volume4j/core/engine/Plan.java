package io.volume4j.core.engine;

import java.util.List;

/**
 * The decision of a planner: the steps that may be taken now, in the order of preference, and the reasons for
 * waiting. An empty plan means that the actual state matches the desired state.
 */
public record Plan<S extends Step>(List<S> steps, List<Wait> waits) {
    public Plan {
        steps = copied(steps);
        waits = copied(waits);
    }

    /** Most plans have no waits, and many have no steps. */
    private static <E> List<E> copied(List<E> list) {
        return list.isEmpty() ? List.of() : List.copyOf(list);
    }

    public static <S extends Step> Plan<S> nothing() {
        return new Plan<>(List.of(), List.of());
    }

    public boolean isEmpty() {
        return steps.isEmpty() && waits.isEmpty();
    }
}
