package io.volume4j.core.grants;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.VolumeAttachment;

/**
 * Which {@code spec.attacher} a VolumeAttachment has. API servers take only DNS subdomains there, without {@code /}. So a plugin
 * {@code <domain>/<name>} is written {@code <name>.<domain>}: {@code kubernetes.io/iscsi} is {@code iscsi.kubernetes.io}. CSI
 * drivers have no {@code /} in their names and are written as they are.
 */
public final class AttacherName {
    private static final String FINALIZER = "external-attacher/";

    private AttacherName() {}

    /**
     * The finalizer by which a driver's attacher keeps VolumeAttachments and volumes, spelt as every external-attacher spells it:
     * {@code external-attacher/ebs-csi-aws-com} for {@code ebs.csi.aws.com}. One attacher takes over what another one has kept.
     */
    public static String finalizer(String driver) {
        String name = driver.replaceAll("[^a-zA-Z0-9-]", "-");
        return FINALIZER + name + (name.endsWith("-") ? "X" : "");
    }

    /** Whether it is that finalizer, or the one that versions before 0.1 wrote in its place. */
    public static boolean isFinalizer(String driver, String finalizer) {
        return finalizer.equals(finalizer(driver)) || finalizer.equals(FINALIZER + driver.replace('/', '-'));
    }

    /** Whether the plugin is a CSI driver, whose volumes other attachers know too. */
    public static boolean ofDriver(String plugin) {
        return plugin.indexOf('/') < 0;
    }

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
