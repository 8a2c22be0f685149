package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.Map;

/**
 * Reports the location of this node, in the driver's own terms.
 *
 * @since 0.1.0
 */
public interface TopologyReporter {
    /** Labels for the node, such as a zone. Empty if the location does not matter. */
    Map<String, String> segments(CallContext context);
}
