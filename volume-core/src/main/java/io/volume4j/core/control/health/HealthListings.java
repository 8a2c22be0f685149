package io.volume4j.core.control.health;

import io.volume4j.core.control.health.HealthView.Listing;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The times of the last lists of all volumes' health from each plugin. Loop thread only. */
final class HealthListings {
    private record Ended(boolean succeeded, long at) {}

    private final Map<String, Ended> ended = new HashMap<>();

    /** How many list steps are taken, by plugin. */
    private final Map<String, Integer> underWay = new HashMap<>();

    Listing state(String plugin, boolean lists, long now) {
        if (!lists) {
            return Listing.NONE;
        }
        if (underWay.containsKey(plugin)) {
            return Listing.UNDER_WAY;
        }
        @Nullable Ended last = ended.get(plugin);
        if (last == null || now - last.at >= HealthPlanner.EVERY.toNanos()) {
            return Listing.DUE;
        }
        return last.succeeded ? Listing.READ : Listing.NONE;
    }

    void taken(String plugin) {
        underWay.merge(plugin, 1, Integer::sum);
    }

    void released(String plugin) {
        underWay.computeIfPresent(plugin, (name, steps) -> steps == 1 ? null : steps - 1);
    }

    void ended(String plugin, boolean succeeded, long at) {
        ended.put(plugin, new Ended(succeeded, at));
    }
}
