package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterWork.Look;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * When the next read of all users may begin. Such a read lists whole kinds of objects, so in a large cluster it takes
 * seconds. Deletions that come one after the other must not keep controller and server busy with nothing else: they
 * wait for a moment and share the next read. Immutable.
 *
 * @param notBefore loop time in nanoseconds at which the next read may begin; only reads that must wait have an entry
 */
record ReadPace(Map<Look.At, Long> notBefore) {
    static final ReadPace FREE = new ReadPace(Map.of());

    ReadPace {
        notBefore = Map.copyOf(notBefore);
    }

    /** The plan with a wait in the place of each read that must not begin yet. */
    Plan<ClusterStep> apply(Plan<ClusterStep> plan) {
        if (notBefore.isEmpty()) {
            return plan;
        }
        List<ClusterStep> steps = new ArrayList<>();
        List<Wait> waits = new ArrayList<>(plan.waits());
        for (ClusterStep step : plan.steps()) {
            if (step instanceof Look look && notBefore.containsKey(look.at())) {
                waits.add(
                        Wait.until(
                                notBefore.get(look.at()),
                                "waiting for the next read of all " + look.at().words()
                                        + " from the store: after each, the next one pauses nine times as long, but a minute at most"));
            } else {
                steps.add(step);
            }
        }
        return new Plan<>(steps, waits);
    }
}
