package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.Affinity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** For each node the affinities of available volumes that choose it. Not thread-safe. */
final class PlaceIndex {
    private final NodeTable nodes;
    private final Map<Affinity, Integer> uses = new LinkedHashMap<>();
    private List<List<Affinity>> byNode = new ArrayList<>();
    private long generation = -1;

    PlaceIndex(NodeTable nodes) {
        this.nodes = nodes;
    }

    void add(Affinity affinity) {
        if (uses.merge(affinity, 1, Integer::sum) == 1 && fresh()) {
            nodes.choosing(affinity.selector()).stream()
                    .forEach(node -> reach(node).add(affinity));
        }
    }

    void remove(Affinity affinity) {
        if (uses.merge(affinity, -1, Integer::sum) == 0) {
            uses.remove(affinity);
            if (fresh()) {
                nodes.choosing(affinity.selector()).stream()
                        .forEach(node -> reach(node).remove(affinity));
            }
        }
    }

    List<Affinity> at(int node) {
        if (!fresh()) {
            byNode = new ArrayList<>();
            generation = nodes.generation();
            uses.keySet()
                    .forEach(affinity -> nodes.choosing(affinity.selector()).stream()
                            .forEach(chosen -> reach(chosen).add(affinity)));
        }
        return node < byNode.size() ? byNode.get(node) : List.of();
    }

    private boolean fresh() {
        return generation == nodes.generation();
    }

    private List<Affinity> reach(int node) {
        while (byNode.size() <= node) {
            byNode.add(new ArrayList<>(2));
        }
        return byNode.get(node);
    }
}
