package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;

/**
 * Detaches a volume's device from a node.
 *
 * @since 0.1.0
 */
public interface Detacher {
    /** Detaches the volume. Succeeds if it is not attached to the node. */
    void detach(DetachRequest request, CallContext context);

    /**
     * The volume to detach, and the node. The state is the one that the last call for this volume returned, or none. After an
     * attach without an answer, a controller has that of {@link Attacher#beforeAttach}.
     */
    record DetachRequest(VolumeId volume, String nodeName, String devicePath, PluginState state) {}
}
