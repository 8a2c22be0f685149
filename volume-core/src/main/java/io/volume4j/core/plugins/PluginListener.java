package io.volume4j.core.plugins;

/**
 * Listens for plugins that are added, removed or replaced while the registry is in use.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PluginListener {
    /**
     * Called when the change is visible, on the thread that made the change, without a lock. Changes by different
     * threads may be reported in any order, so a listener must ask the registry for the current state.
     */
    void changed(String pluginName);
}
