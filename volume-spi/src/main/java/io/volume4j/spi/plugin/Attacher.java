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
     * Attaches; attached there already is success.
     *
     * @throws io.volume4j.spi.VolumeException dangling, if the backend holds it attached to another node; exhausted, if
     *     the node can take no more
     */
    AttachResult attach(AttachRequest request, CallContext context);

    /** What to attach where. */
    record AttachRequest(VolumeSpec spec, VolumeId volume, String nodeName, boolean readOnly, PluginState state) {}

    /**
     * What came of it.
     *
     * @param devicePath where the node will find the device, {@code ""} if only the node can tell
     * @param metadata passed on to the node's calls; holds no secret
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
