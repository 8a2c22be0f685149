package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;

/**
 * The facts about the provisioner of a class.
 *
 * @param name the provisioner's name in the class
 * @param dataSources whether it fills volumes from the claim's data source by itself
 * @param contents whether it fills volumes from a source that the controller passes to it
 * @param problem why the class cannot be translated for the driver that took over its kind, {@code ""} if it can
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
    /** The kind of provisioner. */
    public enum Role {
        /** A plugin of this process that provisions. */
        IN_PROCESS,
        /** An external provisioner, which looks for claims with its name. */
        EXTERNAL,
        /** None: the class is for volumes that users create. */
        NEVER,
        /** A name of Kubernetes' own that is not here. No external provisioner has it either. */
        UNKNOWN_BUILT_IN
    }

    public static ProvisionerInfo of(Role role, String name) {
        return new ProvisionerInfo(role, name, false, false, false, List.of(), List.of(), "");
    }

    /** A copy for a class that cannot be translated. */
    public ProvisionerInfo untranslatable(String why) {
        return new ProvisionerInfo(role, name, mountOptions, dataSources, contents, accessModes, volumeModes, why);
    }
}
