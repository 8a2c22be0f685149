package io.volume4j.core.plugins;

import java.util.Objects;

/**
 * Why a plugin was not loaded.
 *
 * @param plugin the name of the plugin, or its origin if the name is unknown
 * @param reason the error, in one line
 * @since 0.1.0
 */
public record PluginProblem(String plugin, String reason) {
    public PluginProblem {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String toString() {
        return plugin + ": " + reason;
    }
}
