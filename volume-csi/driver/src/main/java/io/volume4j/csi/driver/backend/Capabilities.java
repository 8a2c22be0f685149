package io.volume4j.csi.driver.backend;

import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessTypeCase;
import java.util.List;

/** The meaning of volume capabilities, and whether this driver supports them. */
final class Capabilities {
    private Capabilities() {}

    /** Whether one node at a time may use the volume. */
    static boolean singleNode(VolumeCapability capability) {
        return switch (capability.getAccessMode().getMode()) {
            case SINGLE_NODE_WRITER, SINGLE_NODE_READER_ONLY, SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER ->
                true;
            default -> false;
        };
    }

    /** Whether the volume may have one target at a time on a node. */
    static boolean singleTarget(VolumeCapability capability) {
        return switch (capability.getAccessMode().getMode()) {
            case SINGLE_NODE_WRITER, SINGLE_NODE_READER_ONLY, SINGLE_NODE_SINGLE_WRITER -> true;
            default -> false;
        };
    }

    /** Whether at most one node may write. */
    static boolean singleWriterNode(VolumeCapability capability) {
        return singleNode(capability) || capability.getAccessMode().getMode() == Mode.MULTI_NODE_SINGLE_WRITER;
    }

    static boolean readOnly(VolumeCapability capability) {
        return switch (capability.getAccessMode().getMode()) {
            case SINGLE_NODE_READER_ONLY, MULTI_NODE_READER_ONLY -> true;
            default -> false;
        };
    }

    /** Refuses capabilities that no driver can interpret. @throws Refused INVALID_ARGUMENT */
    static void demandWhole(List<VolumeCapability> capabilities) {
        for (VolumeCapability capability : capabilities) {
            if (capability.getAccessTypeCase() == AccessTypeCase.ACCESSTYPE_NOT_SET) {
                throw Refused.invalid("a volume capability has no access type");
            }
            Mode mode = capability.getAccessMode().getMode();
            if (mode == Mode.UNKNOWN || mode == Mode.UNRECOGNIZED) {
                throw Refused.invalid("a volume capability has no access mode");
            }
        }
    }

    /** Why this driver does not support the capability; empty if it does. */
    static String unsupported(Backend backend, VolumeCapability capability, String side) {
        if (capability.hasBlock() && !backend.has("access.BLOCK")) {
            return "this driver has no block volumes";
        }
        if (capability.hasMount() && !backend.has("access.MOUNT")) {
            return "this driver has no mounted volumes";
        }
        Mode mode = capability.getAccessMode().getMode();
        boolean alpha = mode == Mode.SINGLE_NODE_SINGLE_WRITER || mode == Mode.SINGLE_NODE_MULTI_WRITER;
        if (alpha && !backend.has(side + ".SINGLE_NODE_MULTI_WRITER")) {
            return mode + " needs SINGLE_NODE_MULTI_WRITER";
        }
        if (!capability.getMount().getVolumeMountGroup().isEmpty() && !backend.has("node.VOLUME_MOUNT_GROUP")) {
            return "volume_mount_group needs VOLUME_MOUNT_GROUP";
        }
        return "";
    }

    /** @throws Refused INVALID_ARGUMENT if a capability is incomplete or not supported */
    static void demandSupported(Backend backend, List<VolumeCapability> capabilities, String side) {
        demandWhole(capabilities);
        for (VolumeCapability capability : capabilities) {
            String why = unsupported(backend, capability, side);
            if (!why.isEmpty()) {
                throw Refused.invalid(why);
            }
        }
    }
}
