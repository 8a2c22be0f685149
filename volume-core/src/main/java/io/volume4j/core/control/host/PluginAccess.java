package io.volume4j.core.control.host;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;

/** The registered plugins, and which of them a volume belongs to. Thread-safe. */
public final class PluginAccess {
    private final PluginRegistry plugins;

    PluginAccess(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    /** What a plugin said in a call, without the secrets that it was told in it. */
    public String withoutSecrets(String text) {
        return plugins.withoutSecrets(text);
    }

    /** How storage that Kubernetes once handled itself is translated. */
    public CsiMigration migration() {
        return plugins.migration();
    }

    public Optional<VolumePlugin> byName(String name) {
        return plugins.byName(name);
    }

    /**
     * The plugin, for a call.
     *
     * @throws VolumeException transient, if it is not registered now
     */
    public VolumePlugin need(String name) {
        return plugins.byName(name)
                .orElseThrow(() -> VolumeException.transientFailure("plugin " + name + " is not there now")
                        .withAdvice("register it again: only it can go on with what it began"));
    }

    public List<VolumePlugin> all() {
        return plugins.plugins();
    }

    /** The plugin that handles such volumes, if exactly one does. */
    public Optional<VolumePlugin> handling(VolumeSpec spec) {
        try {
            return Optional.of(plugins.find(spec));
        } catch (VolumeException noneOrSeveral) {
            return Optional.empty();
        }
    }

    /** What nodes call the volume, as far as the plugin can say. */
    public Optional<VolumeId> volumeId(PersistentVolume volume, String plugin) {
        try {
            return plugins.byName(plugin)
                    .map(found -> VolumeId.shared(
                            found.name(), found.volumeName(plugins.migration().specIfPossible(volume, false))));
        } catch (VolumeException notValid) {
            return Optional.empty();
        }
    }

    /** What nodes call the volume, by the plugin that made it or that handles volumes like it. */
    public Optional<VolumeId> handlingId(PersistentVolume volume) {
        String maker = plugins.migration().current(volume.metadata().annotation(WellKnown.PROVISIONED_BY));
        Optional<VolumePlugin> plugin =
                plugins.byName(maker).or(() -> handling(plugins.migration().specIfPossible(volume, false)));
        return plugin.flatMap(found -> volumeId(volume, found.name()));
    }
}
