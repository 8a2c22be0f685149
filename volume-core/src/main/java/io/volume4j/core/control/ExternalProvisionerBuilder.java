package io.volume4j.core.control;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link ExternalProvisioner} is made of. Needed are a cluster and, with a name, either plugins or a backend;
 * everything else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalProvisionerBuilder extends ControllerBuilder<ExternalProvisionerBuilder> {
    private @Nullable PluginRegistry plugins;
    private String name = "";
    private boolean restores;

    ExternalProvisionerBuilder() {
        super("an external provisioner", Duration.ofMinutes(2));
    }

    /** Works in the name of that plugin of the registry, with its {@code Provisioner} and {@code Deleter}. */
    public ExternalProvisionerBuilder plugin(String provisioner, PluginRegistry registry) {
        name = Objects.requireNonNull(provisioner, "provisioner");
        plugins = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /** Works in that name with these, for storage that needs no plugin on the control plane: files, for pods to mount. */
    public ExternalProvisionerBuilder backend(String provisioner, Provisioner makes, Deleter deletes) {
        return plugin(
                provisioner,
                PluginRegistry.builder(new NoHost())
                        .plugin(new Backend(provisioner, makes, deletes))
                        .build());
    }

    /**
     * Also finds out by itself what claims are to be made from, see {@link PersistentVolumeControllerBuilder#restoresSnapshots()}. The
     * host's cluster must know VolumeSnapshot and VolumeSnapshotContent, if only as empty lists.
     */
    public ExternalProvisionerBuilder restoresSnapshots() {
        restores = true;
        return this;
    }

    /**
     * Makes the provisioner, which does nothing before {@link ExternalProvisioner#start()}.
     *
     * @throws IllegalStateException if something needed is missing
     */
    public ExternalProvisioner build() {
        ControllerSettings settings =
                settings(name.isEmpty() ? null : plugins, "plugin(name, registry) or backend(name, …)");
        ControllerFeatures features = ControllerFeatures.ofProvisioner(name);
        if (restores) {
            features.restores();
        }
        return new AgentProcess(features.spec(), settings, settings.options(Map.of()));
    }

    @Override
    ExternalProvisionerBuilder self() {
        return this;
    }
}
