package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;

/**
 * Who makes volumes of a class, as far as deciding needs it.
 *
 * @param name as the class names it
 * @param dataSources whether it fills volumes from what a claim names
 * @param contents whether it fills volumes from what it is told to
 * @param problem why the class cannot be put in the words of the driver that took over its kind, {@code ""} if it can
 */
public record ProvisionerInfo(
        Role role,
        String name,
        boolean mountOptions,
        boolean dataSources,
        boolean contents,
        List<AccessMode> accessModes,
        List<VolumeMode> volumeModes,
        String problem) {
    /** Where it is. */
    public enum Role {
        /** A plugin of this process that makes volumes. */
        IN_PROCESS,
        /** A provisioner outside, which looks for claims that name it. */
        EXTERNAL,
        /** None: such classes are for volumes that people make. */
        NEVER,
        /** A name of Kubernetes' own that is not here; no provisioner outside answers to it either. */
        UNKNOWN_BUILT_IN
    }

    public static ProvisionerInfo of(Role role, String name) {
        return new ProvisionerInfo(role, name, false, false, false, List.of(), List.of(), "");
    }

    /** The same, of a class that cannot be translated. */
    public ProvisionerInfo untranslatable(String why) {
        return new ProvisionerInfo(role, name, mountOptions, dataSources, contents, accessModes, volumeModes, why);
    }
}
