package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.plugin.VolumeSpec;

/** Decisions that depend only on the volume's spec. Pure. */
public final class SpecRules {
    private SpecRules() {}

    public static boolean supports(VolumeSpec spec, String driver) {
        return spec.source() instanceof CsiSource csi && csi.driver().equals(driver);
    }

    public static String name(VolumeSpec spec) {
        return Handles.name(spec);
    }

    /** Whether the pod itself describes the volume, so that the volume is created and deleted with the pod. */
    public static boolean inline(VolumeSpec spec) {
        return spec.persistentVolume() == null;
    }
}
