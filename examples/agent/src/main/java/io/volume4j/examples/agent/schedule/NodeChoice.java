package io.volume4j.examples.agent.schedule;

import io.volume4j.spi.model.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which node a pod is to get. */
final class NodeChoice {
    private NodeChoice() {}

    /** Whether a node takes new pods: it is ready, and no taint keeps pods away. */
    static boolean isOpen(Node node) {
        return node.status().ready()
                && !node.metadata().deleting()
                && node.spec().taints().stream()
                        .noneMatch(taint -> taint.effect().equals("NoSchedule")
                                || taint.effect().equals("NoExecute"));
    }

    /**
     * The node whose storage suits best; among equals the one with the fewest pods, and then by name.
     *
     * @param fitting the nodes that the pod can go to
     * @param scores more is better; a node that it does not name has none
     * @param pods how many pods a node has
     * @return empty if the pod can go to no node
     */
    static Optional<String> of(List<String> fitting, Map<String, Integer> scores, Map<String, Integer> pods) {
        return fitting.stream()
                .min(Comparator.<String>comparingInt(node -> -scores.getOrDefault(node, 0))
                        .thenComparing(node -> pods.getOrDefault(node, 0))
                        .thenComparing(Comparator.naturalOrder()));
    }
}
