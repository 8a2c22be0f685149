package io.volume4j.core.volumes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes where a pod can run, according to its volumes, and the reasons against the other nodes. Immutable. The
 * result describes one moment; a reservation checks again.
 *
 * @since 0.1.0
 */
public final class NodeFit {
    /** A refusal, and the nodes that it concerns, as indexes in the list of nodes. */
    public record Refused(VolumeRefusal refusal, BitSet nodes) {
        public Refused {
            nodes = (BitSet) nodes.clone();
        }
    }

    private final List<String> nodes;
    private final List<Refused> refused;
    private final List<String> fitting;

    /**
     * The result for these nodes.
     * @param nodes the nodes of the question, without duplicates
     */
    public NodeFit(List<String> nodes, List<Refused> refused) {
        this.nodes = Collections.unmodifiableList(new ArrayList<>(nodes));
        this.refused = Collections.unmodifiableList(new ArrayList<>(refused));
        BitSet without = new BitSet();
        refused.forEach(each -> without.or(each.nodes()));
        List<String> rest = new ArrayList<>();
        for (int i = without.nextClearBit(0); i < nodes.size(); i = without.nextClearBit(i + 1)) {
            rest.add(nodes.get(i));
        }
        this.fitting = Collections.unmodifiableList(rest);
    }

    /** The nodes of the question, in its order. */
    public List<String> nodes() {
        return nodes;
    }

    /** The nodes where the pod can run, in the same order. */
    public List<String> fitting() {
        return fitting;
    }

    /** The reasons against this node. Empty if the pod can run there, or if the node was not in the question. */
    public List<VolumeRefusal> refusals(String node) {
        int place = nodes.indexOf(node);
        return place < 0 ? List.of() : at(place);
    }

    /** All nodes where the pod cannot run, each with its reasons. */
    public Map<String, List<VolumeRefusal>> refusals() {
        Map<String, List<VolumeRefusal>> all = new LinkedHashMap<>();
        for (int place = 0; place < nodes.size(); place++) {
            List<VolumeRefusal> here = at(place);
            if (!here.isEmpty()) {
                all.put(nodes.get(place), here);
            }
        }
        return Collections.unmodifiableMap(all);
    }

    /**
     * A text for people, as schedulers write it: {@code 0/3 nodes are available: 2 node(s) …, 1 node(s) ….}
     */
    public String text() {
        Map<String, BitSet> bySummary = new LinkedHashMap<>();
        refused.forEach(each -> bySummary
                .computeIfAbsent(each.refusal().reason().summary(), key -> new BitSet())
                .or(each.nodes()));
        StringBuilder text = new StringBuilder();
        text.append(fitting.size()).append('/').append(nodes.size()).append(" nodes are available");
        String separator = ": ";
        for (Map.Entry<String, BitSet> entry : bySummary.entrySet()) {
            text.append(separator)
                    .append(entry.getValue().cardinality())
                    .append(' ')
                    .append(entry.getKey());
            separator = ", ";
        }
        return text.append('.').toString();
    }

    private List<VolumeRefusal> at(int place) {
        List<VolumeRefusal> found = new ArrayList<>();
        for (Refused each : refused) {
            if (each.nodes.get(place)) {
                found.add(each.refusal());
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return text();
    }
}
