package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.CsiNode;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The drivers that are registered on each node, from CSINode objects. Not thread-safe. */
final class DriversOnNodes {
    private final NodeTable nodes;
    private final Map<String, Set<String>> byNode = new HashMap<>();

    DriversOnNodes(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Applies the node's CSINode; null if there is none. */
    void changed(String name, @Nullable CsiNode node) {
        if (node == null) {
            byNode.remove(name);
        } else {
            byNode.put(
                    name,
                    node.spec().drivers().stream().map(CsiNode.Driver::name).collect(Collectors.toUnmodifiableSet()));
        }
    }

    /** Those of the nodes on which the driver is registered. */
    BitSet having(String driver, BitSet of) {
        BitSet having = new BitSet();
        for (int node = of.nextSetBit(0); node >= 0; node = of.nextSetBit(node + 1)) {
            having.set(node, byNode.getOrDefault(nodes.name(node), Set.of()).contains(driver));
        }
        return having;
    }
}
