package io.volume4j.core.control;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.control.schedule.SchedulingWorld;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.plugin.Populator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link PersistentVolumeController}. A cluster (source and writer) and plugins are required. Everything
 * else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class PersistentVolumeControllerBuilder extends ControllerBuilder<PersistentVolumeControllerBuilder> {
    private @Nullable PluginRegistry plugins;
    private final ControllerFeatures features = ControllerFeatures.ofController();
    private final Map<String, Integer> classLimits = new LinkedHashMap<>();
    private final List<VolumeBinder> binders = new ArrayList<>();

    PersistentVolumeControllerBuilder() {
        super("a controller of claims and volumes", Duration.ofMinutes(2));
    }

    /** The plugins. A volume manager in the same process may share them. Required. */
    public PersistentVolumeControllerBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /**
     * Also expands volumes whose claims request a larger size, and applies the VolumeAttributesClass of claims, with
     * the plugins of this process. For a separate process use an {@link ExternalResizer}. The host's cluster must
     * support the kind {@code VolumeAttributesClass}; an empty list suffices.
     */
    public PersistentVolumeControllerBuilder expandsVolumes() {
        features.with(ControllerFeature.EXPAND, ControllerFeature.MODIFY);
        return this;
    }

    /**
     * Also protects objects in use from deletion, with the finalizers of Kubernetes: claims that pods use, bound
     * volumes, and VolumeAttributesClasses that claims or volumes name. The host's cluster must support the kind
     * {@code VolumeAttributesClass}; an empty list suffices.
     */
    public PersistentVolumeControllerBuilder protectsWhatIsUsed() {
        features.with(ControllerFeature.PROTECTION);
        return this;
    }

    /**
     * Also creates claims for pods. The claims of ephemeral volumes are deleted with their pods. The claims of the
     * templates in the pods' annotation {@code volume4j.io/volume-claim-templates} stay for the next pod with the
     * same name.
     */
    public PersistentVolumeControllerBuilder makesPodClaims() {
        features.with(ControllerFeature.EPHEMERAL);
        return this;
    }

    /**
     * Also publishes the free capacity of this process's plugins as CSIStorageCapacity objects in the namespace
     * {@code default}. There is one object for each class with {@code WaitForFirstConsumer} and each topology
     * segment. The controller asks the plugins every minute, and sooner after a volume was created or deleted or
     * could not be created. The host's cluster must support the kinds CSINode and CSIStorageCapacity; empty lists
     * suffice.
     */
    public PersistentVolumeControllerBuilder publishesCapacity() {
        features.with(ControllerFeature.CAPACITY);
        return this;
    }

    /**
     * Also reads ReferenceGrants and VolumePopulators. A claim may then have a data source in another namespace, if a
     * ReferenceGrant there permits it. The claim gets an event if no populator exists for its data source. Without
     * this call the controller refuses data sources in other namespaces. It leaves all kinds except claims and
     * snapshots to the populator for that kind.
     */
    public PersistentVolumeControllerBuilder readsDataSources() {
        features.dataSources();
        return this;
    }

    /**
     * Also fills volumes from objects of other kinds, with these populators. Includes {@link #readsDataSources()}.
     * This controller needs no VolumePopulator object for them; other controllers that check data sources do.
     * @param namespace where the controller creates the prime claims; users should not have access to it
     */
    public PersistentVolumeControllerBuilder fillsVolumes(String namespace, Populator... with) {
        features.fills(Objects.requireNonNull(namespace, "namespace"), List.of(with));
        return this;
    }

    /**
     * Also asks the plugins for the health of bound volumes every five minutes. It reports an abnormal volume to its
     * claim with an event and with the condition {@code volume4j.io/VolumeHealthy}. When the volume is healthy again,
     * the controller updates the condition and keeps it.
     */
    public PersistentVolumeControllerBuilder tellsHealth() {
        features.with(ControllerFeature.HEALTH);
        return this;
    }

    /**
     * Also writes the condition {@code Unused} of each claim, as Kubernetes does (KEP-5541): whether no pod uses the
     * claim, and since when. A pod that waits for a node uses its claims; a pod that has ended does not. Off by
     * default.
     */
    public PersistentVolumeControllerBuilder tellsUnusedClaims() {
        features.with(ControllerFeature.UNUSED);
        return this;
    }

    /**
     * Also reports pods that mount the same claim with different SELinux contexts. Each pod gets the event
     * {@code SELinuxLabelConflict} or {@code SELinuxChangePolicyConflict}, as in Kubernetes (KEP-1710). If both pods
     * run on one node, one of them waits. Useful for nodes with SELinux. The host's cluster must support the kind
     * CSIDriver; an empty list suffices. Off by default.
     */
    public PersistentVolumeControllerBuilder tellsSeLinuxConflicts() {
        features.with(ControllerFeature.SELINUX);
        return this;
    }

    /**
     * Also moves the data of claims to volumes of other classes, as {@code VolumeMove} objects request. The host's
     * cluster must support this kind; an empty list suffices. A driver clones the volume if it can, see
     * {@link #restoresSnapshots()}. Otherwise a populator for VolumeMove objects copies the data, see
     * {@link #fillsVolumes} and {@link #readsDataSources()}.
     */
    public PersistentVolumeControllerBuilder movesVolumes() {
        features.with(ControllerFeature.MOVE);
        return restoresSnapshots().readsDataSources();
    }

    /**
     * Also creates, binds and deletes snapshots with the plugins of this process, see {@link SnapshotController}.
     * Includes {@link #restoresSnapshots()}. The host's cluster must support the kinds VolumeSnapshot,
     * VolumeSnapshotContent and VolumeSnapshotClass; empty lists suffice.
     */
    public PersistentVolumeControllerBuilder takesSnapshots() {
        features.snapshots();
        return restoresSnapshots();
    }

    /**
     * Also creates, binds and deletes group snapshots. The host's cluster must also support their three kinds; empty
     * lists suffice.
     */
    public PersistentVolumeControllerBuilder takesGroupSnapshots() {
        features.groupSnapshots();
        return takesSnapshots();
    }

    /**
     * Also resolves the data sources of claims itself. A data source is a ready snapshot of a
     * {@link SnapshotController} (or of the one of Kubernetes), or a bound claim, which the controller protects from
     * deletion while it is cloned. The plugin gets its own handle of the source. Without this call plugins must
     * resolve data sources themselves. The host's cluster must support the kinds VolumeSnapshot and
     * VolumeSnapshotContent; empty lists suffice.
     */
    public PersistentVolumeControllerBuilder restoresSnapshots() {
        features.restores();
        return this;
    }

    /**
     * Passes all changes to a scheduler's binder, so that the host need not do it. The controller then also lists and
     * watches CSIDrivers, CSINodes and CSIStorageCapacities. It informs the binder even while another process leads.
     */
    public PersistentVolumeControllerBuilder volumeBinder(VolumeBinder value) {
        binders.add(given("binder", value));
        return this;
    }

    /**
     * How many calls for volumes of the class may run at the same time, within the limit of the plugin for all its
     * classes. By default only the plugin's limit applies. A class at its limit does not delay other classes of the
     * plugin.
     */
    public PersistentVolumeControllerBuilder classLimit(String storageClass, int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException("classLimit must be at least 1, not " + calls
                    + ": leave the call out if only the plugin's own limit counts");
        }
        classLimits.put(storageClass, calls);
        return this;
    }

    /**
     * Builds the controller. It does nothing before {@link PersistentVolumeController#start()}.
     * @throws IllegalStateException if a required part is missing; the message lists all missing parts
     */
    public PersistentVolumeController build() {
        ControllerSettings settings = settings(plugins, "plugins(…)");
        ClaimsProcess process = new ClaimsProcess(features.spec(), settings, settings.options(classLimits));
        binders.forEach(binder -> process.agent().share(SchedulingWorld.KINDS, new BinderFeed(binder)));
        return process;
    }

    @Override
    PersistentVolumeControllerBuilder self() {
        return this;
    }
}
