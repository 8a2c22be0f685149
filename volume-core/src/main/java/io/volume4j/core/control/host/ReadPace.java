package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterWork.Look;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import java.util.ArrayList;
import java.util.EnumMap;
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

    /** The same, with a pause before the next read of this kind. */
    ReadPace with(Look.At at, long next) {
        Map<Look.At, Long> more = new EnumMap<>(Look.At.class);
        more.putAll(notBefore);
        more.put(at, next);
        return new ReadPace(more);
    }

    /**
     * The plan with waits in the place of its reads, if one of them must not begin yet. The reads of one object begin together: one
     * that does not wait would be out of date when the last one ends, and would be repeated.
     */
    Plan<ClusterStep> apply(Plan<ClusterStep> plan) {
        if (notBefore.isEmpty()) {
            return plan;
        }
        long begin = Long.MIN_VALUE;
        for (ClusterStep step : plan.steps()) {
            if (step instanceof Look look) {
                begin = Math.max(begin, notBefore.getOrDefault(look.at(), Long.MIN_VALUE));
            }
        }
        return begin == Long.MIN_VALUE ? plan : withoutReads(plan, begin);
    }

    private static Plan<ClusterStep> withoutReads(Plan<ClusterStep> plan, long begin) {
        List<ClusterStep> steps = new ArrayList<>();
        List<Wait> waits = new ArrayList<>(plan.waits());
        for (ClusterStep step : plan.steps()) {
            if (step instanceof Look look) {
                waits.add(
                        Wait.until(
                                begin,
                                "waiting for the next read of all " + look.at().words()
                                        + " from the store: after each, the next one pauses nine times as long, but a minute at most"));
            } else {
                steps.add(step);
            }
        }
        return new Plan<>(steps, waits);
    }
}
