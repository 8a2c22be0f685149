package io.volume4j.core.control.expand;

/**
 * Who can expand a volume.
 *
 * @param plugin that handles the volume here, {@code ""} if none does
 * @param controlPlane whether it expands the volume at its backend
 * @param node whether nodes have a part in it
 * @param online whether the backend's part can be done while the volume is in use
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
