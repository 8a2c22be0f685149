package io.volume4j.core.control.expand;

/**
 * The plugin that can expand a volume.
 *
 * @param plugin of this process that handles the volume, {@code ""} for none
 * @param controlPlane whether it expands the volume at its backend
 * @param node whether nodes must expand it too
 * @param online whether the backend can expand the volume while it is in use
 */
public record ExpanderInfo(String plugin, boolean controlPlane, boolean node, boolean online) {
    private static final ExpanderInfo NONE = new ExpanderInfo("", false, false, false);

    public static ExpanderInfo none() {
        return NONE;
    }

    boolean expands() {
        return controlPlane || node;
    }
}
