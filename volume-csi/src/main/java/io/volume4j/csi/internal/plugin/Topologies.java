package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.plugin.Places;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts topology between CSI and the library. Pure. */
final class Topologies {
    /** Limit for combinations: ten zones with ten racks each are the most that a user needs. */
    private static final int MOST_PLACES = 1000;

    private Topologies() {}

    /**
     * The possible and preferred places for a new volume.
     *
     * @param allowed the topology of the class, null for everywhere
     * @param here the place of the first consumer, which the class allows; empty if it is irrelevant or unknown
     * @param known every place where the driver runs
     * @param strict whether the volume must be accessible from {@code here}
     * @param source the possible places because of the content source
     * @param claimName decides the order of the preferred places if there is no first consumer
     * @return empty if nothing restricts the place; then the driver decides
     * @throws VolumeException if no place is left
     */
    static Optional<TopologyRequirement> requirement(
            @Nullable NodeSelector allowed,
            Map<String, String> here,
            List<Map<String, String>> known,
            boolean strict,
            Places source,
            String claimName) {
        if (!here.isEmpty() && source.within(List.of(here)).isEmpty()) {
            throw VolumeException.of(
                            FailureKind.EXHAUSTED,
                            "a volume that is made from the snapshot cannot be reached from " + here
                                    + ", but only from " + source.any())
                    .withAdvice("run the pod where the volume can be reached");
        }
        Set<Map<String, String>> places = new LinkedHashSet<>();
        if (!here.isEmpty()) {
            places.add(sorted(here));
        }
        if (places.isEmpty() || !strict) {
            if (allowed == null) {
                known.forEach(place -> places.add(sorted(place)));
            } else {
                places.addAll(places(allowed));
            }
        }
        places.removeIf(Map::isEmpty);
        List<Map<String, String>> left = source.within(new ArrayList<>(places));
        if (left.isEmpty()) {
            if (places.isEmpty()) {
                return Optional.empty();
            }
            throw VolumeException.of(
                            FailureKind.INFEASIBLE,
                            "a volume that is made from the snapshot can be reached only from " + source.any()
                                    + ", and the storage class and the nodes allow none of that")
                    .withAdvice("use a storage class whose allowedTopologies hold one of these places");
        }
        TopologyRequirement.Builder requirement = TopologyRequirement.newBuilder();
        left.forEach(place -> requirement.addRequisite(topology(place)));
        List<Map<String, String>> preferred = here.isEmpty() ? PlaceOrder.forClaim(claimName, left) : left;
        preferred.forEach(place -> requirement.addPreferred(topology(place)));
        return Optional.of(requirement.build());
    }

    private static Topology topology(Map<String, String> place) {
        return Topology.newBuilder().putAllSegments(place).build();
    }

    /** The places from which a snapshot can be used. */
    static Places places(List<Topology> told) {
        return new Places(told.stream().map(Topology::getSegmentsMap).toList());
    }

    /** The nodes from which a volume in these places is accessible; null for all. */
    static @Nullable NodeSelector selector(List<Topology> places) {
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (Topology place : places) {
            List<SelectorRequirement> segments = new ArrayList<>();
            new TreeMap<>(place.getSegmentsMap())
                    .forEach((key, value) -> segments.add(new SelectorRequirement(key, "In", List.of(value))));
            if (!segments.isEmpty()) {
                terms.add(new NodeSelector.Term(segments, List.of()));
            }
        }
        return terms.isEmpty() ? null : new NodeSelector(terms);
    }

    /**
     * Whether the topology of a class allows a node. A class may name labels of the node that are not keys of the driver, such as
     * {@code topology.kubernetes.io/zone}.
     *
     * @param allowed the topology of the class, null for everywhere
     * @param labels the labels of the node
     * @param place where the node is, in the driver's terms
     */
    static boolean allows(@Nullable NodeSelector allowed, Map<String, String> labels, Map<String, String> place) {
        Map<String, String> known = new TreeMap<>(labels);
        known.putAll(place);
        return allowed == null || allowed.matches("", known);
    }

    /** Every combination of the values in the terms of a class. */
    private static List<Map<String, String>> places(NodeSelector allowed) {
        List<Map<String, String>> places = new ArrayList<>();
        for (NodeSelector.Term term : allowed.terms()) {
            List<Map<String, String>> combined = List.of(Map.of());
            for (SelectorRequirement requirement : term.matchExpressions()) {
                combined = combine(combined, requirement);
            }
            places.addAll(combined);
        }
        return places.size() <= MOST_PLACES ? places : places.subList(0, MOST_PLACES);
    }

    private static List<Map<String, String>> combine(
            List<Map<String, String>> combined, SelectorRequirement requirement) {
        List<Map<String, String>> next = new ArrayList<>();
        for (Map<String, String> place : combined) {
            for (String value : requirement.values()) {
                if (next.size() == MOST_PLACES) {
                    return next;
                }
                Map<String, String> more = new TreeMap<>(place);
                more.put(requirement.key(), value);
                next.add(more);
            }
        }
        return next;
    }

    private static Map<String, String> sorted(Map<String, String> place) {
        return Collections.unmodifiableMap(new TreeMap<>(place));
    }
}
