package io.volume4j.core.grants;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.VolumeAttachment;

/**
 * Which {@code spec.attacher} a VolumeAttachment has. API servers take only DNS subdomains there, without {@code /}. So a plugin
 * {@code <domain>/<name>} is written {@code <name>.<domain>}: {@code kubernetes.io/iscsi} is {@code iscsi.kubernetes.io}. CSI
 * drivers have no {@code /} in their names and are written as they are.
 */
public final class AttacherName {
    private AttacherName() {}

    /** The attacher of a plugin's volumes. */
    public static String of(String plugin) {
        int slash = plugin.indexOf('/');
        return slash < 0 ? plugin : plugin.substring(slash + 1) + "." + plugin.substring(0, slash);
    }

    /**
     * The plugin whose volume the VolumeAttachment is for: the one that its annotation {@link GrantKeys#VOLUME} names, if that fits
     * the attacher; otherwise the attacher itself, as for every VolumeAttachment that a foreign controller makes.
     */
    public static String plugin(VolumeAttachment attachment) {
        String attacher = attachment.spec().attacher();
        String volume = attachment.metadata().annotation(GrantKeys.VOLUME);
        if (volume.isEmpty()) {
            return attacher;
        }
        try {
            String plugin = VolumeId.parse(volume).plugin();
            return of(plugin).equals(attacher) ? plugin : attacher;
        } catch (IllegalArgumentException notOurs) {
            return attacher;
        }
    }
}
