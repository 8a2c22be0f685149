package io.volume4j.core.control.host;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.model.ObjectKey;

/** A feature without step types of its own: all its steps are {@link ClusterWork}. */
public interface PlanningFeature<V> extends Feature<V, PlanningFeature.None> {
    /** A step type without instances. */
    interface None extends ClusterStep {}

    @Override
    default Class<None> steps() {
        return None.class;
    }

    @Override
    default Call call(ObjectKey key, None step) {
        throw new IllegalArgumentException("not a step of this feature: " + step.describe());
    }

    @Override
    default void completed(ObjectKey key, None step, Outcome outcome) {
        throw new IllegalArgumentException("not a step of this feature: " + step.describe());
    }
}
