package io.volume4j.core.plugins;

import io.volume4j.core.plugins.san.IscsiConnector;
import io.volume4j.core.plugins.san.IscsiSessionStore;
import io.volume4j.core.plugins.san.IscsiTarget;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.plugin.VolumeSpec;

/**
 * Logical units of iSCSI targets ({@code iscsi}), over sessions of open-iscsi. iscsid must run on the node.
 *
 * <p>A target and a unit number identify a volume; the portals do not. The first volume of a target on a node logs in
 * to each portal, and the last one logs out. The plugin uses sessions that already exist, and does not log out of
 * them. Several paths are one device if multipathd combines them. Thread-safe.
 *
 * @since 0.1.0
 */
public final class IscsiPlugin extends SanPlugin {
    public static final String NAME = IscsiSessionStore.PLUGIN;

    /** A plugin that is usable after a {@link PluginRegistry} has initialised it. */
    public IscsiPlugin() {
        super(NAME, IscsiConnector::new);
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof IscsiSource;
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return IscsiTarget.of(IscsiConnector.source(spec)).unit().toString();
    }
}
