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
 * The rule for volumes that say where they are by labels, as those did that were made before node affinity: a node that says
 * where it is must be there too. A value may name several places, joined by {@code __}.
 */
public final class ZoneLabels {
    /** Each label with the name that it had before. */
    private static final Map<String, String> NAMES = names();

    private ZoneLabels() {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone");
        names.put("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
        return names;
    }

    /** Whether the volume says anything by labels. */
    public static boolean placed(PersistentVolume volume) {
        Map<String, String> labels = volume.metadata().labels();
        return !labels.isEmpty()
                && NAMES.entrySet().stream()
                        .anyMatch(name -> labels.containsKey(name.getKey()) || labels.containsKey(name.getValue()));
    }

    /** The nodes that can reach a volume by its affinity and by its labels, as one selector; null for all nodes. */
    public static @Nullable NodeSelector reaching(PersistentVolume volume) {
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        if (!placed(volume)) {
            return affinity;
        }
        NodeSelector byLabels = byLabels(volume);
        return affinity == null ? byLabels : both(affinity, byLabels);
    }

    /** The rule as a selector: the node is in one of the places for each label of the volume, or says nothing. */
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

    /** The node has the label with one of the values; the label's earlier name counts where it has only that. */
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

    /** A term without conditions chooses nothing, and goes on choosing nothing. */
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
