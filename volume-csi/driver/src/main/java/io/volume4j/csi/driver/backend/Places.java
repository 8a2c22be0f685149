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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Topology: which places are accessible from where. */
final class Places {
    private Places() {}

    /** Whether a node reaches a volume: it has each segment of a place of the volume. A node without segments reaches all. */
    static boolean reaches(Map<String, String> node, List<Topology> volume) {
        Map<String, String> folded = folded(node);
        return node.isEmpty()
                || volume.isEmpty()
                || volume.stream()
                        .anyMatch(place -> folded.entrySet()
                                .containsAll(folded(place.getSegmentsMap()).entrySet()));
    }

    /**
     * Whether the places have a part in common: they have a common key, and no key with different values. A place without segments is
     * everywhere.
     */
    static boolean overlap(Map<String, String> one, Map<String, String> other) {
        Map<String, String> first = folded(one);
        Map<String, String> second = folded(other);
        Set<String> common = new TreeSet<>(first.keySet());
        common.retainAll(second.keySet());
        return first.isEmpty()
                || second.isEmpty()
                || (!common.isEmpty()
                        && common.stream().allMatch(key -> Objects.equals(first.get(key), second.get(key))));
    }

    /** Keys are compared without case. */
    private static Map<String, String> folded(Map<String, String> place) {
        Map<String, String> folded = new TreeMap<>();
        place.forEach((key, value) -> folded.put(key.toLowerCase(Locale.ROOT), value));
        return folded;
    }

    /** Whether a volume that is accessible from these places meets the requirement. */
    static boolean reachable(TopologyRequirement requirement, List<Topology> places) {
        if (requirement.getRequisiteCount() == 0) {
            return true;
        }
        return places.stream()
                .anyMatch(place -> requirement.getRequisiteList().stream()
                        .anyMatch(wanted -> overlap(place.getSegmentsMap(), wanted.getSegmentsMap())));
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
                if (overlap(pools.get(i).segments(), place.getSegmentsMap())) {
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
