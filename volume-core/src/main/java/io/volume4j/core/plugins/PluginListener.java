package io.volume4j.core.plugins;

/** Hears that a plugin came, went, or was replaced while the registry is in use. */
@FunctionalInterface
public interface PluginListener {
    /**
     * Called after the change can be seen, on the thread that made it, with no lock held. Changes made by different
     * threads may be told in any order, so a listener asks the registry how things are now.
     */
    void changed(String pluginName);
}
