package io.volume4j.core.control.host;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;

/** The registered plugins, and the assignment of volumes to plugins. Thread-safe. */
public final class PluginAccess {
    private final PluginRegistry plugins;

    PluginAccess(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    /** The text that a plugin returned from a call, without the secrets that the call gave to the plugin. */
    public String withoutSecrets(String text) {
        return plugins.withoutSecrets(text);
    }

    /** The translation of Kubernetes' former in-tree volume types to CSI. */
    public CsiMigration migration() {
        return plugins.migration();
    }

    public Optional<VolumePlugin> byName(String name) {
        return plugins.byName(name);
    }

    /**
     * The plugin of that name, for a call.
     *
     * @throws VolumeException transient, if the plugin is not registered now
     */
    public VolumePlugin need(String name) {
        return plugins.byName(name)
                .orElseThrow(() -> VolumeException.transientFailure("plugin " + name + " is not there now")
                        .withAdvice("register it again: only it can go on with what it began"));
    }

    public List<VolumePlugin> all() {
        return plugins.plugins();
    }

    /** The plugin that handles volumes with this specification. Empty unless exactly one plugin handles them. */
    public Optional<VolumePlugin> handling(VolumeSpec spec) {
        try {
            return Optional.of(plugins.find(spec));
        } catch (VolumeException noneOrSeveral) {
            return Optional.empty();
        }
    }

    /** The volume ID that nodes use. Empty if the plugin cannot determine it. */
    public Optional<VolumeId> volumeId(PersistentVolume volume, String plugin) {
        try {
            return plugins.byName(plugin)
                    .map(found -> VolumeId.shared(
                            found.name(), found.volumeName(plugins.migration().specIfPossible(volume, false))));
        } catch (VolumeException notValid) {
            return Optional.empty();
        }
    }

    /**
     * The volume ID that nodes use. The plugin that created the volume determines it, or the plugin that handles such
     * volumes. If this process has neither, the driver and the handle of a CSI volume are the ID.
     */
    public Optional<VolumeId> handlingId(PersistentVolume volume) {
        VolumeSpec spec = plugins.migration().specIfPossible(volume, false);
        String maker = plugins.migration().current(volume.metadata().annotation(WellKnown.PROVISIONED_BY));
        Optional<VolumePlugin> plugin = plugins.byName(maker).or(() -> handling(spec));
        return plugin.flatMap(found -> volumeId(volume, found.name()))
                .or(() -> spec.source() instanceof CsiSource csi
                                && !csi.driver().isEmpty()
                                && !csi.volumeHandle().isEmpty()
                        ? Optional.of(VolumeId.shared(csi.driver(), csi.volumeHandle()))
                        : Optional.empty());
    }
}
