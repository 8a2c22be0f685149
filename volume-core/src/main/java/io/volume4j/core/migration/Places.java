package io.volume4j.core.migration;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.StorageClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The topology of volumes, with the cluster's labels and with a driver's label. */
final class Places {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String REGION = "topology.kubernetes.io/region";
    static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
    private static final String EITHER = "__";

    private Places() {}

    /** The zones in a volume's labels; the newer label overrides the older. */
    static List<String> zones(Map<String, String> labels) {
        String zones = labels.getOrDefault(ZONE, labels.getOrDefault(OLD_ZONE, ""));
        return zones.isEmpty()
                ? List.of()
                : Arrays.stream(zones.split(EITHER, -1))
                        .filter(zone -> !zone.isEmpty())
                        .toList();
    }

    /**
     * A volume's affinity with the driver's key instead of the zone's. A volume without an affinity to a zone gets one
     * from its labels.
     */
    static @Nullable NodeSelector toCsi(@Nullable NodeSelector affinity, Map<String, String> labels, String key) {
        @Nullable
        NodeSelector renamed = affinity == null
                ? null
                : renamed(affinity, each -> switch (each) {
                    case ZONE, OLD_ZONE -> key;
                    case OLD_REGION -> REGION;
                    default -> each;
                });
        List<String> zones = zones(labels);
        boolean hasZone = affinity != null && (asks(affinity, ZONE) || asks(affinity, OLD_ZONE) || asks(affinity, key));
        return hasZone || zones.isEmpty() ? renamed : and(renamed, in(key, zones));
    }

    /** The same in the other direction. */
    static @Nullable NodeSelector toInTree(@Nullable NodeSelector affinity, String key) {
        return affinity == null ? null : renamed(affinity, each -> each.equals(key) ? ZONE : each);
    }

    /** The zone and region labels of a volume's in-tree form, from this affinity. Existing labels stay. */
    static Map<String, String> labels(
            Map<String, String> labels, @Nullable NodeSelector inTreeAffinity, UnaryOperator<String> regionOf) {
        Set<String> zones = new TreeSet<>();
        if (inTreeAffinity != null) {
            inTreeAffinity
                    .terms()
                    .forEach(term -> term.matchExpressions().stream()
                            .filter(each ->
                                    each.key().equals(ZONE) && each.operator().equals("In"))
                            .forEach(each -> zones.addAll(each.values())));
        }
        Map<String, String> all = new LinkedHashMap<>(labels);
        if (!zones.isEmpty() && !all.containsKey(ZONE) && !all.containsKey(OLD_ZONE)) {
            all.put(ZONE, String.join(EITHER, zones));
            Set<String> regions = new LinkedHashSet<>();
            zones.forEach(zone -> regions.add(regionOf.apply(zone)));
            if (regions.size() == 1
                    && !regions.contains("")
                    && !all.containsKey(REGION)
                    && !all.containsKey(OLD_REGION)) {
                all.put(REGION, regions.iterator().next());
            }
        }
        return all;
    }

    private static boolean asks(NodeSelector selector, String key) {
        return selector.terms().stream()
                .anyMatch(term -> term.matchExpressions().stream()
                        .anyMatch(each -> each.key().equals(key)));
    }

    private static SelectorRequirement in(String key, Collection<String> values) {
        return new SelectorRequirement(key, "In", List.copyOf(values));
    }

    private static NodeSelector and(@Nullable NodeSelector selector, SelectorRequirement more) {
        if (selector == null || selector.terms().isEmpty()) {
            return new NodeSelector(List.of(new NodeSelector.Term(List.of(more), List.of())));
        }
        return new NodeSelector(selector.terms().stream()
                .map(term -> {
                    List<SelectorRequirement> all = new ArrayList<>(term.matchExpressions());
                    all.add(more);
                    return new NodeSelector.Term(all, term.matchFields());
                })
                .toList());
    }

    private static NodeSelector renamed(NodeSelector selector, UnaryOperator<String> name) {
        return new NodeSelector(selector.terms().stream()
                .map(term -> new NodeSelector.Term(
                        term.matchExpressions().stream()
                                .map(each ->
                                        new SelectorRequirement(name.apply(each.key()), each.operator(), each.values()))
                                .toList(),
                        term.matchFields()))
                .toList());
    }

    /** The zones in the parameters of a class. */
    static final class Zones {
        private final List<String> zones = new ArrayList<>();

        /** Stores a parameter about zones. Returns false for any other parameter. */
        boolean take(String word, String value, InTree kind) {
            if (!kind.zonesInParameters() || !(word.equals("zone") || word.equals("zones"))) {
                return false;
            }
            for (String zone : word.equals("zone") ? List.of(value) : Arrays.asList(value.split(",", -1))) {
                if (zone.isBlank()) {
                    throw VolumeException.finalFailure("parameter " + word + " of a class of " + kind.name()
                            + " names an empty zone: \"" + value + "\"");
                }
                zones.add(kind.zone(zone.strip()));
            }
            return true;
        }

        @Nullable
        NodeSelector topologies(StorageClass storageClass, InTree kind) {
            @Nullable NodeSelector allowed = storageClass.allowedTopologies();
            if (!zones.isEmpty() && allowed != null) {
                throw VolumeException.finalFailure("storage class "
                                + storageClass.metadata().name()
                                + " says where volumes are made twice: by allowedTopologies, and by zone or zones")
                        .withAdvice("remove the parameter zone or zones from the class");
            }
            if (!zones.isEmpty()) {
                return new NodeSelector(
                        List.of(new NodeSelector.Term(List.of(in(kind.topologyKey(), zones)), List.of())));
            }
            return allowed == null || !kind.translatesClassPlace() ? allowed : translated(allowed, kind);
        }

        private static NodeSelector translated(NodeSelector allowed, InTree kind) {
            return new NodeSelector(allowed.terms().stream()
                    .map(term -> new NodeSelector.Term(
                            term.matchExpressions().stream()
                                    .map(each -> translated(each, kind))
                                    .toList(),
                            term.matchFields()))
                    .toList());
        }

        private static SelectorRequirement translated(SelectorRequirement each, InTree kind) {
            if (!each.key().equals(ZONE) && !each.key().equals(OLD_ZONE)) {
                return each.key().equals(OLD_REGION)
                        ? new SelectorRequirement(REGION, each.operator(), each.values())
                        : each;
            }
            return new SelectorRequirement(
                    kind.topologyKey(),
                    each.operator(),
                    each.values().stream().map(kind::zone).toList());
        }
    }
}
