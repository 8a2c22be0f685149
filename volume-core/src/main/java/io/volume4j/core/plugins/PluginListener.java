package io.volume4j.core.plugins;

/**
 * Called when a plugin is added, removed or replaced while the registry is in use.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PluginListener {
    /**
     * Called after the change is visible, on the thread that made it, with no lock held. Changes of different threads may
     * be reported in any order, so a listener must ask the registry for the current state.
     */
    void changed(String pluginName);
}
