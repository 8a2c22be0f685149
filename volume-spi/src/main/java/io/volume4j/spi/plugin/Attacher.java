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

    /**
     * What a detach will need and what is known before the attach, such as the backend's name of the node. A controller stores
     * it before the attach call. So it can detach the volume although the answer is lost and the node is gone meanwhile. The
     * plugin changes nothing at the backend.
     *
     * <p>The state of the request may come from an attach whose answer was lost. If the volume may still be attached as it says,
     * the answer must contain what its detach needs too.
     *
     * <p>If this method fails, the library makes no attach call. It also asks before a detach if the VolumeAttachment contains no state. If this
     * method and the detach then both fail, and nothing shows that the volume was ever attached, the library takes it for detached. So a
     * plugin of which this method can fail must return a state before each attach.
     *
     * <p>The library stores the backend's id of the node, under {@link io.volume4j.spi.model.WellKnown#ATTACHED_NODE_ID} in the answer, where
     * Kubernetes' external-attacher reads it.
     *
     * @param request with the state of the last call
     * @return the state of the attach request that follows, none if it keeps the state of the last call
     */
    default PluginState beforeAttach(AttachRequest request, CallContext context) {
        return PluginState.none();
    }

    /**
     * The volume to attach, and the node.
     *
     * @param state what {@link #beforeAttach} answered for this call; if it answered nothing, what the last call for this volume
     *     returned, or none
     */
    record AttachRequest(VolumeSpec spec, VolumeId volume, String nodeName, boolean readOnly, PluginState state) {
        /** The same request with the answer of {@link #beforeAttach}. */
        public AttachRequest prepared(PluginState answer) {
            return answer.isEmpty() ? this : new AttachRequest(spec, volume, nodeName, readOnly, answer);
        }
    }

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
