package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;

/**
 * Takes a volume's device away from a node.
 *
 * @since 0.1.0
 */
public interface Detacher {
    /** Detaches; not attached is success. */
    void detach(DetachRequest request, CallContext context);

    /** What to detach from where; the state is what the last call for it returned, or none. */
    record DetachRequest(VolumeId volume, String nodeName, String devicePath, PluginState state) {}
}
