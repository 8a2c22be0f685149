package io.volume4j.core.plugins;

import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;

/**
 * The plugins that come with the library.
 *
 * @since 0.1.0
 */
public final class VolumePlugins {
    private VolumePlugins() {}

    /**
     * A fresh set of those that need no driver, the same for nodes and control planes, to be given to {@link
     * PluginRegistry.Builder#defaults}. A plugin belongs to one registry.
     */
    public static List<VolumePlugin> defaultPlugins() {
        return List.of(
                ContentPlugin.configMap(),
                ContentPlugin.downwardApi(Map.of()),
                ContentPlugin.projected(Map.of()),
                ContentPlugin.secret(),
                new EmptyDirPlugin(),
                new FcPlugin(),
                new HostPathPlugin(),
                new ImagePlugin(),
                new IscsiPlugin(),
                new LocalPlugin(),
                new LoopPlugin(),
                new NfsPlugin());
    }
}
