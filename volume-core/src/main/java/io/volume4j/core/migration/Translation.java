package io.volume4j.core.migration;

import java.util.Objects;

/**
 * The translation of an in-tree kind of storage to a CSI driver. The source has the volume's id in one field, and the
 * usual fields {@code fsType} and {@code readOnly}. Immutable.
 *
 * @param plugin in-tree name of provisioner and plugin, such as {@code kubernetes.io/disk}
 * @param source key of the source in manifests, such as {@code disk}
 * @param driver the CSI driver that replaces it
 * @param handle field of the source with the driver's volume handle
 * @param topologyKey the driver's topology label, {@code ""} for a driver without topology
 * @since 0.1.0
 */
public record Translation(String plugin, String source, String driver, String handle, String topologyKey) {
    /** @throws IllegalArgumentException if a required text is empty */
    public Translation {
        require("plugin", plugin);
        require("source", source);
        require("driver", driver);
        require("handle", handle);
        Objects.requireNonNull(topologyKey, "topologyKey");
    }

    private static void require(String what, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a translation needs its " + what);
        }
    }
}
