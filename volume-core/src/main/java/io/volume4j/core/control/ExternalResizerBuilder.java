package io.volume4j.core.control;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.plugins.PluginRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link ExternalResizer}. A cluster and a plugin are required. Everything else has a default. Not
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalResizerBuilder extends ControllerBuilder<ExternalResizerBuilder> {
    private @Nullable PluginRegistry plugins;
    private String name = "";

    ExternalResizerBuilder() {
        super("an external resizer", Duration.ofMinutes(2));
    }

    /**
     * Expands and modifies the volumes of this plugin of the registry, with its {@code Expander} and
     * {@code Modifier}. Required.
     */
    public ExternalResizerBuilder plugin(String driver, PluginRegistry registry) {
        name = Objects.requireNonNull(driver, "driver");
        plugins = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Builds the resizer. It does nothing before {@link ExternalResizer#start()}.
     * @throws IllegalStateException if a required part is missing
     */
    public ExternalResizer build() {
        ControllerSettings settings = settings(name.isEmpty() ? null : plugins, "plugin(name, registry)");
        return new AgentProcess(ControllerFeatures.ofResizer(name).spec(), settings, settings.options(Map.of()));
    }

    @Override
    ExternalResizerBuilder self() {
        return this;
    }
}
