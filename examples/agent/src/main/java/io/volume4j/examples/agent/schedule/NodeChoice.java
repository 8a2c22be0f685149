package io.volume4j.examples.agent.schedule;

import io.volume4j.spi.model.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Selects the node of a pod. */
final class NodeChoice {
    private NodeChoice() {}

    /** Whether a node accepts new pods: it is ready and has no taint against them. */
    static boolean isOpen(Node node) {
        return node.status().ready()
                && !node.metadata().deleting()
                && node.spec().taints().stream()
                        .noneMatch(taint -> taint.effect().equals("NoSchedule")
                                || taint.effect().equals("NoExecute"));
    }

    /**
     * The node with the highest score; among equals the one with the fewest pods, and then by name.
     *
     * @param fitting the possible nodes of the pod
     * @param scores higher is better; nodes without an entry have none
     * @param pods the number of pods by node
     * @return empty if there is no possible node
     */
    static Optional<String> of(List<String> fitting, Map<String, Integer> scores, Map<String, Integer> pods) {
        return fitting.stream()
                .min(Comparator.<String>comparingInt(node -> -scores.getOrDefault(node, 0))
                        .thenComparing(node -> pods.getOrDefault(node, 0))
                        .thenComparing(Comparator.naturalOrder()));
    }
}
