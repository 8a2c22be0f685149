package io.volume4j.core.control.host;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;

/**
 * All input for the decision about one object: the view of each feature that decides about this object.
 *
 * @param pace when reads of all users may begin
 */
public record ObjectView(ObjectKey key, List<Part<?>> parts, ReadPace pace) {
    /** The view of one feature, and the planner that decides with this view. */
    public record Part<V>(Planner<V, ClusterStep> planner, V view) {
        Plan<ClusterStep> plan() {
            return planner.plan(view);
        }
    }

    public ObjectView {
        parts = List.copyOf(parts);
    }
}
