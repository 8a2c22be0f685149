package io.volume4j.core.plugins;

import io.volume4j.core.plugins.san.IscsiConnector;
import io.volume4j.core.plugins.san.IscsiSessionStore;
import io.volume4j.core.plugins.san.IscsiTarget;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.plugin.VolumeSpec;

/**
 * Logical units of iSCSI targets ({@code iscsi}), over sessions that open-iscsi keeps: iscsid must run on the node.
 *
 * <p>A volume is a target and a number there, whichever portals it is reached by. The first of a target's volumes on a node
 * logs in to each of its portals, the last one logs out; sessions that were there before are used and left. Several ways are
 * used as one device where multipathd joins them. Thread-safe.
 *
 * @since 0.1.0
 */
public final class IscsiPlugin extends SanPlugin {
    public static final String NAME = IscsiSessionStore.PLUGIN;

    /** Of no use before a {@link PluginRegistry} has initialised it. */
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
