package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeId;

/**
 * A mount at a path of the layout whose volume is unknown: the journal's row and the file beside the mount are both lost. The
 * node keeps it while a pod wants the volume that belongs at that path. Otherwise the node unmounts it without the plugin,
 * because it has no name to give to the plugin.
 */
public final class UnidentifiedMount {
    private static final String PREFIX = "?unidentified/";

    private UnidentifiedMount() {}

    public static VolumeId ofDevice(String plugin, String deviceName) {
        return VolumeId.shared(plugin, PREFIX + deviceName);
    }

    public static VolumeId ofPod(String plugin, String podUid, String outerName) {
        return VolumeId.ofPod(plugin, PREFIX + outerName, podUid);
    }

    public static boolean is(VolumeId id) {
        return id.name().startsWith(PREFIX);
    }

    /** The name of its directory, {@code ""} if it is identified or belongs to a pod. */
    static String deviceName(VolumeId id) {
        return is(id) && !id.privateToPod() ? id.name().substring(PREFIX.length()) : "";
    }

    /** Whether a plugin's name for a volume looks like the name of an unidentified mount. */
    public static boolean clashes(String volumeName) {
        return volumeName.startsWith(PREFIX);
    }
}
