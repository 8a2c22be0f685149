package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.model.CsiSource;
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
}
