package io.volume4j.core.plugins;

import io.volume4j.core.plugins.san.FcConnector;
import io.volume4j.core.plugins.san.FcUnit;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.plugin.VolumeSpec;

/**
 * Logical units on Fibre Channel ({@code fc}), by the ports of their target or by their own identifiers.
 *
 * <p>If the disks of a unit are missing, the plugin lets the adapters scan for them. After the last user of the unit
 * on the node, it removes the disks from the kernel. Several paths are one device if multipathd combines them. udev
 * must run, because the plugin finds the disks by udev's names. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FcPlugin extends SanPlugin {
    public static final String NAME = "kubernetes.io/fc";

    /** A plugin that is usable after a {@link PluginRegistry} has initialised it. */
    public FcPlugin() {
        super(NAME, (host, backend) -> new FcConnector(backend));
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof FcSource;
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return FcUnit.of(FcConnector.source(spec)).toString();
    }
}
