package io.volume4j.core.control;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link ExternalProvisioner}. A cluster, a name, and either plugins or a backend are required. Everything
 * else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalProvisionerBuilder extends ControllerBuilder<ExternalProvisionerBuilder> {
    private @Nullable PluginRegistry plugins;
    private String name = "";
    private boolean restores;
    private boolean publishesCapacity;

    ExternalProvisionerBuilder() {
        super("an external provisioner", Duration.ofMinutes(2));
    }

    /** Uses this plugin of the registry, with its {@code Provisioner} and {@code Deleter}, and the plugin's name. */
    public ExternalProvisionerBuilder plugin(String provisioner, PluginRegistry registry) {
        name = Objects.requireNonNull(provisioner, "provisioner");
        plugins = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Uses this name, provisioner and deleter. For storage that needs no plugin on the control plane. Its volumes are
     * filesystems.
     */
    public ExternalProvisionerBuilder backend(String provisioner, Provisioner makes, Deleter deletes) {
        return plugin(
                provisioner,
                PluginRegistry.builder(new NoHost())
                        .plugin(new Backend(provisioner, makes, deletes))
                        .build());
    }

    /**
     * Also resolves the data sources of claims itself, see {@link
     * PersistentVolumeControllerBuilder#restoresSnapshots()}. The host's cluster must support the kinds
     * VolumeSnapshot and VolumeSnapshotContent; empty lists suffice.
     */
    public ExternalProvisionerBuilder restoresSnapshots() {
        restores = true;
        return this;
    }

    /**
     * Also publishes the free capacity of the provisioner's plugin as CSIStorageCapacity objects, see {@link
     * PersistentVolumeControllerBuilder#publishesCapacity()}. The host's cluster must support the kinds CSINode and
     * CSIStorageCapacity; empty lists suffice.
     */
    public ExternalProvisionerBuilder publishesCapacity() {
        publishesCapacity = true;
        return this;
    }

    /**
     * Builds the provisioner. It does nothing before {@link ExternalProvisioner#start()}.
     * @throws IllegalStateException if a required part is missing
     */
    public ExternalProvisioner build() {
        ControllerSettings settings =
                settings(name.isEmpty() ? null : plugins, "plugin(name, registry) or backend(name, …)");
        ControllerFeatures features = ControllerFeatures.ofProvisioner(name);
        if (restores) {
            features.restores();
        }
        if (publishesCapacity) {
            features.with(ControllerFeature.CAPACITY);
        }
        return new AgentProcess(features.spec(), settings, settings.options(Map.of()));
    }

    @Override
    ExternalProvisionerBuilder self() {
        return this;
    }
}
