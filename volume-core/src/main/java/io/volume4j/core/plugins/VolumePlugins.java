package io.volume4j.core.plugins;

import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;

/**
 * The default plugins of the library.
 *
 * @since 0.1.0
 */
public final class VolumePlugins {
    private VolumePlugins() {}

    /**
     * New instances of the plugins that need no driver, the same for nodes and control planes. Pass them to
     * {@link PluginRegistry.Builder#defaults}. A plugin instance belongs to one registry.
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
