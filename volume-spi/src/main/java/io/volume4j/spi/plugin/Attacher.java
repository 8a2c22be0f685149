package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Makes a volume's device reachable from a node.
 *
 * @since 0.1.0
 */
public interface Attacher {
    /**
     * Attaches the volume. Idempotent: succeeds if the volume is already attached to this node.
     *
     * @throws io.volume4j.spi.VolumeException dangling, if the backend still has the volume attached to another node;
     *     exhausted, if the node has as many volumes as it can
     */
    AttachResult attach(AttachRequest request, CallContext context);

    /** The volume to attach, and the node. */
    record AttachRequest(VolumeSpec spec, VolumeId volume, String nodeName, boolean readOnly, PluginState state) {}

    /**
     * The result of an attach call.
     *
     * @param devicePath the path of the device on the node, {@code ""} if only the node can find the device
     * @param metadata data that the library passes to the node's calls; must not contain a secret
     */
    record AttachResult(String devicePath, Map<String, String> metadata, PluginState state) {
        public AttachResult {
            Objects.requireNonNull(devicePath, "devicePath");
            metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
        }

        public static AttachResult at(String devicePath) {
            return new AttachResult(devicePath, Map.of(), PluginState.none());
        }

        public AttachResult with(PluginState newState) {
            return new AttachResult(devicePath, metadata, newState);
        }

        public AttachResult withMetadata(Map<String, String> newMetadata) {
            return new AttachResult(devicePath, newMetadata, state);
        }
    }
}
