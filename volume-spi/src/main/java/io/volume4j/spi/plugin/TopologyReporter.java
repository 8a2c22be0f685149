package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.Map;

/**
 * Says where this node is, in the driver's own terms.
 *
 * @since 0.1.0
 */
public interface TopologyReporter {
    /** Labels of the node, such as a zone; empty where place does not matter. */
    Map<String, String> segments(CallContext context);
}
