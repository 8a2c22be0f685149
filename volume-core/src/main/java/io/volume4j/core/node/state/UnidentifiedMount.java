package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeId;

/**
 * A mount at a path of ours of which nothing says what volume it is: the journal and the card are both lost. It is kept
 * while a pod wants whatever belongs at that path, and otherwise taken away by the library itself, without the plugin,
 * which could only be told a name that nobody knows.
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

    /** The name of its directory, {@code ""} if it is identified or a pod's. */
    static String deviceName(VolumeId id) {
        return is(id) && !id.privateToPod() ? id.name().substring(PREFIX.length()) : "";
    }

    /** Whether a plugin's name for a volume could be mistaken for one of these. */
    public static boolean clashes(String volumeName) {
        return volumeName.startsWith(PREFIX);
    }
}
