package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Says how a driver knows this node; the node's agent writes it to the node's CSINode object.
 *
 * @since 0.1.0
 */
public interface NodeReporter {
    /** The node, asked anew. */
    NodeInfo node(CallContext context);

    /**
     * What a driver says of a node.
     *
     * @param nodeId the driver's own name for it, not empty
     * @param segments where it is, in the driver's terms: written as labels of the Node object
     * @param maxVolumes how many of the driver's volumes it can have, 0 for no limit
     */
    record NodeInfo(String nodeId, Map<String, String> segments, long maxVolumes) {
        public NodeInfo {
            Objects.requireNonNull(nodeId, "nodeId");
            segments = Collections.unmodifiableMap(new TreeMap<>(segments));
        }
    }
}
