package io.volume4j.csi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one driver calls the nodes of a cluster. A control plane needs it to attach volumes to nodes other than its own and
 * to place new ones. Thread-safe; may block; may throw {@link io.volume4j.spi.VolumeException}.
 *
 * @since 0.1.0
 */
public interface CsiNodes {
    /** The node; empty if the driver has not told of it yet. */
    Optional<CsiNode> byName(String nodeName);

    /** All nodes that the driver runs on, as far as they are known. */
    List<CsiNode> all();

    /** Knows none; then only the node that the driver itself runs on is known. */
    static CsiNodes none() {
        return new CsiNodes() {
            @Override
            public Optional<CsiNode> byName(String nodeName) {
                return Optional.empty();
            }

            @Override
            public List<CsiNode> all() {
                return List.of();
            }
        };
    }

    /**
     * One node, as NodeGetInfo describes it.
     *
     * @param nodeName the cluster's name for it
     * @param nodeId the driver's name for it
     * @param segments where it is, in the driver's words
     * @param maxVolumes how many volumes it can hold, 0 if the driver does not say
     */
    record CsiNode(String nodeName, String nodeId, Map<String, String> segments, long maxVolumes) {
        public CsiNode {
            Objects.requireNonNull(nodeName, "nodeName");
            if (nodeId.isEmpty()) {
                throw new IllegalArgumentException("a node needs the id that its driver gave it");
            }
            segments = Collections.unmodifiableMap(new TreeMap<>(segments));
        }
    }
}
