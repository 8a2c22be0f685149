package io.volume4j.core.control;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.plugins.PluginRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link SnapshotController} is made of. Needed are a cluster and plugins; everything else has a default. Not
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

    /** Makes snapshots with the plugins of the registry that can. Needed. */
    public SnapshotControllerBuilder plugins(PluginRegistry registry) {
        plugins = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /** Serves the contents of that driver only, as a sidecar does; by default those of all plugins. */
    public SnapshotControllerBuilder onlyDriver(String driver) {
        name = Objects.requireNonNull(driver, "driver");
        return this;
    }

    /** Also makes group snapshots. The host's cluster must know their three kinds, if only as empty lists. */
    public SnapshotControllerBuilder takesGroupSnapshots() {
        groups = true;
        return this;
    }

    /**
     * Also tells drivers for which snapshot they cut, by the parameters {@code csi.storage.k8s.io/volumesnapshot/name}, {@code
     * …/namespace} and {@code csi.storage.k8s.io/volumesnapshotcontent/name}, as the sidecar does with {@code --extra-create-metadata};
     * for groups with {@code volumegroupsnapshot}.
     */
    public SnapshotControllerBuilder extraCreateMetadata() {
        metadata = true;
        return this;
    }

    /**
     * Makes the controller, which does nothing before {@link SnapshotController#start()}.
     *
     * @throws IllegalStateException if something needed is missing
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
