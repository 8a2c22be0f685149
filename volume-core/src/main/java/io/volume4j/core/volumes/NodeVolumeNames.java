package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The names of volumes in {@code status.volumesInUse} and {@code status.volumesAttached} of a Node, as Kubernetes
 * writes them. The controllers of Kubernetes compare these names as text to decide whether they may detach a volume.
 * A name in another form is therefore as dangerous as a missing name.
 *
 * <table>
 * <caption>Forms</caption>
 * <tr><th>volume</th><th>name</th></tr>
 * <tr><td>of a CSI driver, which is every plugin whose name has no {@code /}</td>
 * <td>{@code kubernetes.io/csi/<driver>^<volume handle>}</td></tr>
 * <tr><td>of another plugin</td><td>{@code <plugin>/<volume>}</td></tr>
 * <tr><td>that belongs to one pod, or whose plugin's name fits neither form</td>
 * <td>{@link VolumeId#toString()}; a foreign controller never attaches such a volume</td></tr>
 * </table>
 *
 * <p>Versions before 0.1 wrote {@link VolumeId#toString()} for every volume. {@link #parse} reads both forms.
 *
 * <p>Stateless and safe for use from any thread.
 *
 * @since 0.1.0
 */
public final class NodeVolumeNames {
    private static final String CSI_PLUGIN = "kubernetes.io/csi";
    private static final String CSI = CSI_PLUGIN + "/";

    private NodeVolumeNames() {}

    /** The name of the volume in the status of a Node. */
    public static String of(VolumeId id) {
        if (id.privateToPod() || !hasForm(id.plugin())) {
            return id.toString();
        }
        return id.plugin().indexOf('/') < 0 ? CSI + id.plugin() + "^" + id.name() : id.plugin() + "/" + id.name();
    }

    /** Whether {@link #parse} finds the plugin again in a name of the first two forms, whatever the volume is. */
    private static boolean hasForm(String plugin) {
        int slash = plugin.indexOf('/');
        boolean driver = slash < 0;
        boolean inTree = slash > 0
                && slash < plugin.length() - 1
                && slash == plugin.lastIndexOf('/')
                && !plugin.equals(CSI_PLUGIN);
        return plugin.indexOf('^') < 0 && (driver || inTree);
    }

    /**
     * The volume with this name. Empty if the name has none of the forms above; the volume is then not one of this
     * library.
     */
    public static Optional<VolumeId> parse(String name) {
        if (name.startsWith(CSI)) {
            int end = name.indexOf('^');
            return end < 0 ? Optional.empty() : id(name.substring(CSI.length(), end), name.substring(end + 1));
        }
        int first = name.indexOf('/');
        int second = first < 0 ? -1 : name.indexOf('/', first + 1);
        int separator = name.indexOf('^');
        if (first > 0 && second > first + 1 && (separator < 0 || second < separator)) {
            return id(name.substring(0, second), name.substring(second + 1));
        }
        try {
            return Optional.of(VolumeId.parse(name));
        } catch (IllegalArgumentException inNoForm) {
            return Optional.empty();
        }
    }

    private static Optional<VolumeId> id(String plugin, String name) {
        return plugin.isEmpty() || name.isEmpty() ? Optional.empty() : Optional.of(VolumeId.shared(plugin, name));
    }

    /** {@link VolumeId#toString()} of the volume with this name. The name itself if {@link #parse} cannot read it. */
    public static String idText(String name) {
        return parse(name).map(VolumeId::toString).orElse(name);
    }

    /** {@link #idText} of each name, in the same order. */
    public static List<String> idTexts(Collection<String> names) {
        List<String> texts = new ArrayList<>(names.size());
        for (String name : names) {
            texts.add(idText(name));
        }
        return texts;
    }

    /** The name for a text that {@link #idText} returned. */
    public static String ofIdText(String text) {
        return parse(text).map(NodeVolumeNames::of).orElse(text);
    }
}
