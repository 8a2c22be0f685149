package io.volume4j.core.plugins;

import io.volume4j.core.plugins.san.FcConnector;
import io.volume4j.core.plugins.san.FcUnit;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.plugin.VolumeSpec;

/**
 * Logical units that Fibre Channel leads to ({@code fc}), by the ports of their target or by their own identifiers.
 *
 * <p>If a unit's disks are not there, the adapters are asked to look for them; when its last user on the node is gone, they
 * are taken away from the kernel. Several ways are used as one device where multipathd joins them. udev must run, for the
 * disks are found by its names. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FcPlugin extends SanPlugin {
    public static final String NAME = "kubernetes.io/fc";

    /** Of no use before a {@link PluginRegistry} has initialised it. */
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
