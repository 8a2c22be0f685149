package io.volume4j.core.control.binding;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;

/**
 * Who makes volumes of a class, as far as deciding needs it.
 *
 * @param name as the class names it
 * @param dataSources whether it fills volumes from what a claim names
 * @param contents whether it fills volumes from what it is told to
 */
public record ProvisionerInfo(
        Role role,
        String name,
        boolean mountOptions,
        boolean dataSources,
        boolean contents,
        List<AccessMode> accessModes,
        List<VolumeMode> volumeModes) {
    /** Where it is. */
    public enum Role {
        /** A plugin of this process that makes volumes. */
        IN_PROCESS,
        /** Somebody outside, who looks for claims that name it. */
        EXTERNAL,
        /** Nobody: such classes are for volumes that people make. */
        NEVER,
        /** A name of Kubernetes' own that is not here; nobody outside answers to it either. */
        UNKNOWN_BUILT_IN
    }

    public static ProvisionerInfo of(Role role, String name) {
        return new ProvisionerInfo(role, name, false, false, false, List.of(), List.of());
    }
}
