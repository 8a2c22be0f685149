package io.volume4j.core.control.expand;

/**
 * Who can expand and change a volume.
 *
 * @param plugin that handles the volume here, {@code ""} if none does
 * @param controlPlane whether it expands the volume at its backend
 * @param node whether nodes have a part in it
 * @param online whether the backend's part can be done while the volume is in use
 * @param modifies whether it changes a volume's attributes
 */
public record ExpanderInfo(String plugin, boolean controlPlane, boolean node, boolean online, boolean modifies) {
    private static final ExpanderInfo NOBODY = new ExpanderInfo("", false, false, false, false);

    public static ExpanderInfo nobody() {
        return NOBODY;
    }

    boolean expands() {
        return controlPlane || node;
    }
}
