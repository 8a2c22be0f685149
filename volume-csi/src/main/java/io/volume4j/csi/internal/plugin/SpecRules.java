package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.plugin.VolumeSpec;

/** What a volume's description alone decides. Pure. */
public final class SpecRules {
    private SpecRules() {}

    public static boolean supports(VolumeSpec spec, String driver) {
        return spec.source() instanceof CsiSource csi && csi.driver().equals(driver);
    }

    public static String name(VolumeSpec spec) {
        return Handles.name(spec);
    }

    /** Whether a pod describes the volume itself, so that it lives and dies with the pod. */
    public static boolean inline(VolumeSpec spec) {
        return spec.persistentVolume() == null;
    }

    /** Whether its content can be changed for one pod's group without harm to others. */
    public static boolean oneNodeWithFsType(VolumeSpec spec) {
        PersistentVolume volume = spec.persistentVolume();
        return volume != null
                && spec.source() instanceof CsiSource csi
                && !csi.fsType().isEmpty()
                && !volume.spec().accessModes().isEmpty()
                && volume.spec().accessModes().stream().noneMatch(AccessMode::manyNodes);
    }
}
