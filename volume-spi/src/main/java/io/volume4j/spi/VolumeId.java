package io.volume4j.spi;

import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a volume on a node and in the control plane. The id consists of the plugin, the plugin's name for the
 * backing storage and, for a volume that belongs to one pod, that pod's UID. Shared volumes with equal ids are the
 * same volume.
 *
 * @param plugin name of the plugin
 * @param name the plugin's name for the volume; with it the plugin can tear the volume down without any API object
 * @param podUid {@code ""} for a shared volume
 * @since 0.1.0
 */
public record VolumeId(String plugin, String name, String podUid) implements Comparable<VolumeId> {
    private static final Comparator<VolumeId> ORDER =
            Comparator.comparing(VolumeId::plugin).thenComparing(VolumeId::name).thenComparing(VolumeId::podUid);

    public VolumeId {
        Objects.requireNonNull(podUid, "podUid");
        if (plugin.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException("a volume id needs a plugin and a name");
        }
    }

    /** The id of a volume that pods share. */
    public static VolumeId shared(String plugin, String name) {
        return new VolumeId(plugin, name, "");
    }

    /** The id of a volume that one pod alone uses and that exists only as long as that pod. */
    public static VolumeId ofPod(String plugin, String name, String podUid) {
        if (podUid.isEmpty()) {
            throw new IllegalArgumentException("a pod's private volume needs the pod's UID");
        }
        return new VolumeId(plugin, name, podUid);
    }

    /** Whether only one pod can ever use the volume. */
    public boolean privateToPod() {
        return !podUid.isEmpty();
    }

    @Override
    public int compareTo(VolumeId other) {
        return ORDER.compare(this, other);
    }

    /**
     * {@code plugin^name} or {@code plugin^name^podUid}, each part with {@code %} and {@code ^} escaped. Different
     * ids never have the same text.
     */
    @Override
    public String toString() {
        String shared = escape(plugin) + "^" + escape(name);
        return podUid.isEmpty() ? shared : shared + "^" + escape(podUid);
    }

    /**
     * Parses the text of {@link #toString()}.
     *
     * @throws IllegalArgumentException if the text is not a volume id
     */
    public static VolumeId parse(String text) {
        int first = text.indexOf('^');
        int second = text.indexOf('^', first + 1);
        if (first < 0 || (second >= 0 && text.indexOf('^', second + 1) >= 0)) {
            throw new IllegalArgumentException("not a volume id: " + text);
        }
        String plugin = unescape(text.substring(0, first));
        return second < 0
                ? new VolumeId(plugin, unescape(text.substring(first + 1)), "")
                : new VolumeId(
                        plugin, unescape(text.substring(first + 1, second)), unescape(text.substring(second + 1)));
    }

    /** Few ids contain one of these characters, and controllers write and read millions of ids. */
    private static String escape(String part) {
        return part.indexOf('%') < 0 && part.indexOf('^') < 0
                ? part
                : part.replace("%", "%25").replace("^", "%5E");
    }

    private static String unescape(String part) {
        return part.indexOf('%') < 0 ? part : part.replace("%5E", "^").replace("%25", "%");
    }

    // Written out, because every look into a world asks these. Names and UIDs often differ by counting: the factor
    // keeps the next volume of one pod from having the hash of the same volume of another.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof VolumeId id
                        && name.equals(id.name)
                        && podUid.equals(id.podUid)
                        && plugin.equals(id.plugin));
    }

    @Override
    public int hashCode() {
        return (plugin.hashCode() * 31 + name.hashCode()) * 0x9E3779B1 + podUid.hashCode();
    }
}
