package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.match.Affinity;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * For each node, the affinities of available volumes that select it. It returns the same affinity objects that it got. Not
 * thread-safe.
 */
final class TopologyIndex {
    /**
     * An affinity at a node.
     *
     * @param shared whether the affinity selects other nodes too
     */
    record Place(Affinity affinity, boolean shared) {}

    private final NodeTable nodes;
    private final Map<Affinity, Integer> uses = new LinkedHashMap<>();
    private List<List<Place>> byNode = new ArrayList<>();
    private long generation = -1;

    TopologyIndex(NodeTable nodes) {
        this.nodes = nodes;
    }

    void add(Affinity affinity) {
        if (uses.merge(affinity, 1, Integer::sum) == 1 && fresh()) {
            reach(affinity);
        }
    }

    void remove(Affinity affinity) {
        if (uses.merge(affinity, -1, Integer::sum) == 0) {
            uses.remove(affinity);
            if (fresh()) {
                nodes.choosing(affinity.selector()).stream()
                        .forEach(node ->
                                of(node).removeIf(place -> place.affinity().equals(affinity)));
            }
        }
    }

    List<Place> at(int node) {
        if (!fresh()) {
            byNode = new ArrayList<>();
            generation = nodes.generation();
            uses.keySet().forEach(this::reach);
        }
        return node < byNode.size() ? byNode.get(node) : List.of();
    }

    private boolean fresh() {
        return generation == nodes.generation();
    }

    private void reach(Affinity affinity) {
        BitSet chosen = nodes.choosing(affinity.selector());
        Place place = new Place(affinity, chosen.cardinality() > 1);
        chosen.stream().forEach(node -> of(node).add(place));
    }

    private List<Place> of(int node) {
        while (byNode.size() <= node) {
            byNode.add(new ArrayList<>(2));
        }
        return byNode.get(node);
    }
}
