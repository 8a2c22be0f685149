package io.volume4j.core.control;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.plugins.PluginRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link SnapshotController}. A cluster and plugins are required. Everything else has a default. Not
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class SnapshotControllerBuilder extends ControllerBuilder<SnapshotControllerBuilder> {
    private @Nullable PluginRegistry plugins;
    private String name = "";
    private boolean groups;
    private boolean metadata;

    SnapshotControllerBuilder() {
        super("a snapshot controller", Duration.ofMinutes(1));
    }

    /** The plugins; those with a {@code Snapshotter} create snapshots. Required. */
    public SnapshotControllerBuilder plugins(PluginRegistry registry) {
        plugins = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /** Serves only the contents of this driver, as a sidecar does. By default the contents of all plugins. */
    public SnapshotControllerBuilder onlyDriver(String driver) {
        name = Objects.requireNonNull(driver, "driver");
        return this;
    }

    /** Also creates group snapshots. The host's cluster must support their three kinds; empty lists suffice. */
    public SnapshotControllerBuilder takesGroupSnapshots() {
        groups = true;
        return this;
    }

    /**
     * Also passes the names of the snapshot and its content to the driver, as the sidecar does with
     * {@code --extra-create-metadata}. The parameters are {@code csi.storage.k8s.io/volumesnapshot/name},
     * {@code …/namespace} and {@code csi.storage.k8s.io/volumesnapshotcontent/name}; for groups they contain
     * {@code volumegroupsnapshot}.
     */
    public SnapshotControllerBuilder extraCreateMetadata() {
        metadata = true;
        return this;
    }

    /**
     * Builds the controller. It does nothing before {@link SnapshotController#start()}.
     * @throws IllegalStateException if a required part is missing
     */
    public SnapshotController build() {
        ControllerSettings settings = settings(plugins, "plugins(…)");
        ControllerFeatures features = ControllerFeatures.ofSnapshotter(name);
        if (groups) {
            features.groupSnapshots();
        }
        if (metadata) {
            features.snapshotMetadata();
        }
        return new AgentProcess(features.spec(), settings, settings.options(Map.of()));
    }

    @Override
    SnapshotControllerBuilder self() {
        return this;
    }
}
