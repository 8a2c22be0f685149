package io.volume4j.core.control.host;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;

/** Everything that deciding about one object needs: the view of each feature that has something to decide about it. */
public record ObjectView(ObjectKey key, List<Part<?>> parts) {
    /** The view of one feature, and what decides by it. */
    public record Part<V>(Planner<V, ClusterStep> planner, V view) {
        Plan<ClusterStep> plan() {
            return planner.plan(view);
        }
    }

    public ObjectView {
        parts = List.copyOf(parts);
    }
}
