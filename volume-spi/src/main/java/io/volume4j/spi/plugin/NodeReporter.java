package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Reports how a driver identifies this node. The node's agent writes the report to the node's CSINode object.
 *
 * @since 0.1.0
 */
public interface NodeReporter {
    /** The driver's report on this node, from the driver itself and not from a cache. */
    NodeInfo node(CallContext context);

    /**
     * The driver's report on a node.
     *
     * @param nodeId the driver's own name for the node, not empty
     * @param segments the location of the node in the driver's terms; the agent writes them as labels of the Node
     *     object
     * @param maxVolumes how many of the driver's volumes the node can have, 0 for no limit
     */
    record NodeInfo(String nodeId, Map<String, String> segments, long maxVolumes) {
        public NodeInfo {
            Objects.requireNonNull(nodeId, "nodeId");
            segments = Collections.unmodifiableMap(new TreeMap<>(segments));
        }
    }
}
