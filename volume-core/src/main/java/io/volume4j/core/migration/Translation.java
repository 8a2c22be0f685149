package io.volume4j.core.migration;

import java.util.Objects;

/**
 * A kind of storage that a driver took over: its source has a volume's id in one field, and {@code fsType} and {@code readOnly} as
 * usual. Immutable.
 *
 * @param plugin old name of provisioner and plugin, such as {@code kubernetes.io/disk}
 * @param source key of the source in manifests, such as {@code disk}
 * @param driver that took its place
 * @param handle field of the source that is the driver's volume handle
 * @param topologyKey label by which the driver says where a volume is, {@code ""} for a driver that does not
 * @since 0.1.0
 */
public record Translation(String plugin, String source, String driver, String handle, String topologyKey) {
    /** @throws IllegalArgumentException if a text that is needed is empty */
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
