package io.volume4j.csi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The node ids and topology segments of one driver in a cluster. A control plane needs them to attach volumes to
 * other nodes than its own, and to choose places for new volumes. Implementations are thread-safe, may block and may
 * throw {@link io.volume4j.spi.VolumeException}.
 *
 * @since 0.1.0
 */
public interface CsiNodes {
    /** The node; empty if the driver has not reported it yet. */
    Optional<CsiNode> byName(String nodeName);

    /** All known nodes of the driver. */
    List<CsiNode> all();

    /** An implementation without nodes. The plugin then knows only the node of the driver that it is connected to. */
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
     * @param segments its topology segments, in the driver's terms
     * @param maxVolumes the maximum number of volumes, 0 if the driver does not report it
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
