package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule for volumes whose labels name their place, as was usual before node affinity: a node with such labels must be in the
 * same place. A value may contain several places, separated by {@code __}.
 */
public final class ZoneLabels {
    /** Each label with its earlier name. */
    private static final Map<String, String> NAMES = names();

    private ZoneLabels() {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone");
        names.put("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
        return names;
    }

    /** Whether the volume has such labels. */
    public static boolean placed(PersistentVolume volume) {
        Map<String, String> labels = volume.metadata().labels();
        return !labels.isEmpty()
                && NAMES.entrySet().stream()
                        .anyMatch(name -> labels.containsKey(name.getKey()) || labels.containsKey(name.getValue()));
    }

    /** The nodes that can access the volume, by its affinity and its labels, as one selector; null for all nodes. */
    public static @Nullable NodeSelector reaching(PersistentVolume volume) {
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        if (!placed(volume)) {
            return affinity;
        }
        NodeSelector byLabels = byLabels(volume);
        return affinity == null ? byLabels : both(affinity, byLabels);
    }

    /** The rule as a selector: the node matches one of the places for each label of the volume, or has no such labels. */
    public static NodeSelector byLabels(PersistentVolume volume) {
        Map<String, String> labels = volume.metadata().labels();
        NodeSelector there = new NodeSelector(List.of(new NodeSelector.Term(List.of(), List.of())));
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            for (String key : List.of(name.getKey(), name.getValue())) {
                @Nullable String value = labels.get(key);
                if (value != null) {
                    there = joined(there, in(name.getKey(), name.getValue(), List.of(value.split("__", -1))));
                }
            }
        }
        List<NodeSelector.Term> terms = new ArrayList<>(there.terms());
        terms.add(silent());
        return new NodeSelector(terms);
    }

    /** The node has the label with one of the values. The label's earlier name counts if the node has only that. */
    private static NodeSelector in(String name, String earlier, List<String> values) {
        return new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement(name, "In", values)), List.of()),
                new NodeSelector.Term(
                        List.of(
                                new SelectorRequirement(earlier, "In", values),
                                new SelectorRequirement(name, "DoesNotExist", List.of())),
                        List.of())));
    }

    private static NodeSelector.Term silent() {
        List<SelectorRequirement> none = new ArrayList<>();
        NAMES.forEach((name, earlier) -> {
            none.add(new SelectorRequirement(name, "DoesNotExist", List.of()));
            none.add(new SelectorRequirement(earlier, "DoesNotExist", List.of()));
        });
        return new NodeSelector.Term(none, List.of());
    }

    /** A term without conditions selects no node. It is omitted, because the combined term would select nodes. */
    private static NodeSelector both(NodeSelector affinity, NodeSelector other) {
        return joined(
                new NodeSelector(affinity.terms().stream()
                        .filter(term -> !term.matchExpressions().isEmpty()
                                || !term.matchFields().isEmpty())
                        .toList()),
                other);
    }

    private static NodeSelector joined(NodeSelector left, NodeSelector right) {
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (NodeSelector.Term first : left.terms()) {
            for (NodeSelector.Term second : right.terms()) {
                terms.add(new NodeSelector.Term(
                        all(first.matchExpressions(), second.matchExpressions()),
                        all(first.matchFields(), second.matchFields())));
            }
        }
        return new NodeSelector(terms);
    }

    private static List<SelectorRequirement> all(List<SelectorRequirement> left, List<SelectorRequirement> right) {
        List<SelectorRequirement> all = new ArrayList<>(left);
        all.addAll(right);
        return all;
    }
}
