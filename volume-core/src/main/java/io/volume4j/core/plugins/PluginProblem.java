package io.volume4j.core.plugins;

import java.util.Objects;

/**
 * Why a plugin was not loaded.
 *
 * @param plugin its name, or where it came from if it never got so far as to tell
 * @param reason what went wrong, in one line
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
