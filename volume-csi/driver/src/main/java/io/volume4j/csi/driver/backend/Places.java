package io.volume4j.csi.driver.backend;

import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Topology: which places are accessible from where. */
final class Places {
    private Places() {}

    /** Whether the place is inside the other: it has each segment of the other. A place without segments is inside all. */
    static boolean within(Map<String, String> place, Map<String, String> other) {
        if (place.isEmpty()) {
            return true;
        }
        Map<String, String> folded = new TreeMap<>();
        place.forEach((key, value) -> folded.put(key.toLowerCase(Locale.ROOT), value));
        return other.entrySet().stream()
                .allMatch(segment ->
                        segment.getValue().equals(folded.get(segment.getKey().toLowerCase(Locale.ROOT))));
    }

    /** Whether a volume that is accessible from these places meets the requirement. */
    static boolean reachable(TopologyRequirement requirement, List<Topology> places) {
        if (requirement.getRequisiteCount() == 0) {
            return true;
        }
        return places.stream()
                .anyMatch(place -> requirement.getRequisiteList().stream()
                        .anyMatch(wanted -> within(place.getSegmentsMap(), wanted.getSegmentsMap())));
    }

    /** The pools that the request allows, the preferred first. */
    static List<Integer> order(Backend backend, CreateVolumeRequest asked) {
        List<Pool> pools = backend.options().pools();
        TopologyRequirement requirement = asked.getAccessibilityRequirements();
        List<Topology> wanted = new ArrayList<>(requirement.getPreferredList());
        wanted.addAll(requirement.getRequisiteList());
        Set<Integer> order = new LinkedHashSet<>();
        for (Topology place : wanted) {
            for (int i = 0; i < pools.size(); i++) {
                if (within(pools.get(i).segments(), place.getSegmentsMap())) {
                    order.add(i);
                }
            }
        }
        if (requirement.getRequisiteCount() == 0) {
            for (int i = 0; i < pools.size(); i++) {
                order.add(i);
            }
        }
        return new ArrayList<>(order);
    }
}
