package io.volume4j.core.grants;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.VolumeAttachment;

/**
 * The {@code spec.attacher} of a VolumeAttachment. API servers accept only DNS subdomains there, without {@code /}. So
 * a plugin {@code <domain>/<name>} becomes {@code <name>.<domain>}: {@code kubernetes.io/iscsi} is
 * {@code iscsi.kubernetes.io}. CSI drivers have no {@code /} in their names, and their names stay unchanged.
 */
public final class AttacherName {
    private static final String FINALIZER = "external-attacher/";

    private AttacherName() {}

    /**
     * The finalizer with which a driver's attacher protects VolumeAttachments and volumes, in the form of the
     * external-attacher: {@code external-attacher/ebs-csi-aws-com} for {@code ebs.csi.aws.com}. So one attacher can
     * take over the objects of another.
     */
    public static String finalizer(String driver) {
        String name = driver.replaceAll("[^a-zA-Z0-9-]", "-");
        return FINALIZER + name + (name.endsWith("-") ? "X" : "");
    }

    /** Whether it is that finalizer, or the one that versions before 0.1 wrote instead. */
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
     * The plugin of the VolumeAttachment's volume: the one in its annotation {@link GrantKeys#VOLUME}, if that matches
     * the attacher; otherwise the attacher itself, as for every VolumeAttachment of a foreign controller.
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
