package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeCapability.BlockVolume;
import io.volume4j.csi.internal.proto.VolumeCapability.MountVolume;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.VolumeMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Access type, flags and group of a volume, for a CSI request.
 *
 * @param fsType {@code ""} for the driver's choice
 * @param mountFlags may contain secrets, so no text shows them
 * @param mountGroup {@code ""} for none
 */
record AccessTypes(VolumeMode volumeMode, String fsType, List<String> mountFlags, String mountGroup) {
    AccessTypes {
        mountFlags = List.copyOf(mountFlags);
    }

    /** The access type of a volume with files. */
    static AccessTypes files(String fsType, List<String> mountFlags) {
        return new AccessTypes(VolumeMode.FILESYSTEM, fsType, mountFlags, "");
    }

    AccessTypes withGroup(@Nullable Long group) {
        return group == null ? this : new AccessTypes(volumeMode, fsType, mountFlags, Long.toString(group));
    }

    AccessTypes withFlag(String flag) {
        if (flag.isEmpty()) {
            return this;
        }
        List<String> more = new ArrayList<>(mountFlags);
        more.add(flag);
        return new AccessTypes(volumeMode, fsType, more, mountGroup);
    }

    /** One capability that covers all these modes. */
    VolumeCapability capability(List<AccessMode> modes, boolean singleNodeModes) {
        return capability(strongest(modes, singleNodeModes));
    }

    /** One capability for each of these modes. */
    List<VolumeCapability> capabilities(List<AccessMode> modes, boolean singleNodeModes) {
        Set<Mode> wanted = new LinkedHashSet<>();
        for (AccessMode mode : modes) {
            wanted.add(mode(mode, singleNodeModes));
        }
        if (wanted.isEmpty()) {
            wanted.add(mode(AccessMode.READ_WRITE_ONCE, singleNodeModes));
        }
        return wanted.stream().map(this::capability).toList();
    }

    private VolumeCapability capability(Mode mode) {
        VolumeCapability.Builder capability = VolumeCapability.newBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode));
        if (volumeMode == VolumeMode.BLOCK) {
            return capability.setBlock(BlockVolume.getDefaultInstance()).build();
        }
        return capability
                .setMount(MountVolume.newBuilder()
                        .setFsType(fsType)
                        .addAllMountFlags(mountFlags)
                        .setVolumeMountGroup(mountGroup))
                .build();
    }

    private static Mode strongest(List<AccessMode> modes, boolean singleNodeModes) {
        if (modes.contains(AccessMode.READ_WRITE_MANY)) {
            return Mode.MULTI_NODE_MULTI_WRITER;
        }
        if (modes.contains(AccessMode.READ_ONLY_MANY)) {
            return modes.size() == 1 ? Mode.MULTI_NODE_READER_ONLY : Mode.MULTI_NODE_SINGLE_WRITER;
        }
        return mode(modes.isEmpty() ? AccessMode.READ_WRITE_ONCE : modes.get(0), singleNodeModes);
    }

    /**
     * A driver without the newer modes gets the old one, which does not limit the number of writing pods on the node.
     */
    private static Mode mode(AccessMode mode, boolean singleNodeModes) {
        return switch (mode) {
            case UNKNOWN ->
                throw VolumeException.transientFailure("the volume has an access mode that this version does not know")
                        .withAdvice("use a newer version of volume4j, or give the volume one of "
                                + AccessMode.all().stream()
                                        .map(AccessMode::apiName)
                                        .collect(Collectors.joining(", ")));
            case READ_WRITE_MANY -> Mode.MULTI_NODE_MULTI_WRITER;
            case READ_ONLY_MANY -> Mode.MULTI_NODE_READER_ONLY;
            case READ_WRITE_ONCE -> singleNodeModes ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
            case READ_WRITE_ONCE_POD -> singleNodeModes ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
        };
    }
}
