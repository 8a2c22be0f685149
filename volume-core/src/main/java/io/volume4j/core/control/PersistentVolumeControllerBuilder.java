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
 * What a {@link PersistentVolumeController} is made of. Needed are a cluster to read and to write, and plugins; everything
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

    /** The plugins; may be shared with a volume manager in the same process. Needed. */
    public PersistentVolumeControllerBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /**
     * Also expands volumes whose claims ask for more, and gives them the attributes of the class that their claims ask for, with the
     * plugins of this process; see {@link ExternalResizer} for one that runs apart. The host's cluster must know
     * {@code VolumeAttributesClass}, if only as an empty list.
     */
    public PersistentVolumeControllerBuilder expandsVolumes() {
        features.with(ControllerFeature.EXPAND, ControllerFeature.MODIFY);
        return this;
    }

    /**
     * Also keeps claims that pods use, volumes that are bound and volume attributes classes that are named from being removed, with
     * the finalizers that Kubernetes uses. The host's cluster must know {@code VolumeAttributesClass}, if only as an empty list.
     */
    public PersistentVolumeControllerBuilder protectsWhatIsUsed() {
        features.with(ControllerFeature.PROTECTION);
        return this;
    }

    /**
     * Also makes the claims of pods' ephemeral volumes, which go with their pods, and those of the templates in the pods' annotation
     * {@code volume4j.io/volume-claim-templates}, which stay for the next pod of the name.
     */
    public PersistentVolumeControllerBuilder makesPodClaims() {
        features.with(ControllerFeature.EPHEMERAL);
        return this;
    }

    /**
     * Also publishes what the plugins of this process have left, as CSIStorageCapacity objects in the namespace {@code default}: one
     * for each class that waits for its first consumer and each segment of the topology, asked for again every minute, and sooner
     * when a volume came, went or could not be made. The host's cluster must know CSINode and CSIStorageCapacity, if only as
     * empty lists.
     */
    public PersistentVolumeControllerBuilder publishesCapacity() {
        features.with(ControllerFeature.CAPACITY);
        return this;
    }

    /**
     * Also reads ReferenceGrants and VolumePopulators: claims may be filled from objects of other namespaces then, where a grant there
     * allows it, and are told when no populator fills volumes from such objects. Without it sources of other namespaces are refused, and
     * any other kind than claims and snapshots is left to the populator that fills volumes from it.
     */
    public PersistentVolumeControllerBuilder readsDataSources() {
        features.dataSources();
        return this;
    }

    /**
     * Also fills volumes from objects of other kinds, with these populators, and reads what {@link #readsDataSources()} does. A
     * VolumePopulator object that announces them is not needed here; other controllers that check sources need it.
     *
     * @param namespace where the claims are made that have the volumes meanwhile; users should not have access to it
     */
    public PersistentVolumeControllerBuilder fillsVolumes(String namespace, Populator... with) {
        features.fills(Objects.requireNonNull(namespace, "namespace"), List.of(with));
        return this;
    }

    /**
     * Also asks the plugins every five minutes how bound volumes are, and tells the claim of one that is not well: by an event and by
     * the condition {@code volume4j.io/VolumeHealthy}, which stays and changes when the volume is well again.
     */
    public PersistentVolumeControllerBuilder tellsHealth() {
        features.with(ControllerFeature.HEALTH);
        return this;
    }

    /**
     * Also says in each claim's condition {@code Unused} whether no pod uses it, and since when, as Kubernetes does (KEP-5541). A pod
     * that waits for a node uses its claims, a pod that has ended does not. Off by default.
     */
    public PersistentVolumeControllerBuilder tellsUnusedClaims() {
        features.with(ControllerFeature.UNUSED);
        return this;
    }

    /**
     * Also tells pods that mount one claim with different SELinux contexts of each other, by the events {@code SELinuxLabelConflict} and
     * {@code SELinuxChangePolicyConflict} of Kubernetes (KEP-1710): where both come to one node, one of them waits. Of interest where
     * nodes have SELinux. The host's cluster must know CSIDriver, if only as an empty list. Off by default.
     */
    public PersistentVolumeControllerBuilder tellsSeLinuxConflicts() {
        features.with(ControllerFeature.SELINUX);
        return this;
    }

    /**
     * Also moves the data of claims to volumes of other classes, for {@code VolumeMove} objects, which the host's cluster must know, if
     * only as an empty list. Drivers clone what they can, as {@link #restoresSnapshots()} says; where none does, a populator for these
     * objects copies it, see {@link #fillsVolumes} and {@link #readsDataSources()}.
     */
    public PersistentVolumeControllerBuilder movesVolumes() {
        features.with(ControllerFeature.MOVE);
        return restoresSnapshots().readsDataSources();
    }

    /**
     * Also makes, binds and destroys snapshots with the plugins of this process, see {@link SnapshotController}, and fills volumes
     * from them as {@link #restoresSnapshots()} does. The host's cluster must know VolumeSnapshot, VolumeSnapshotContent and
     * VolumeSnapshotClass, if only as empty lists.
     */
    public PersistentVolumeControllerBuilder takesSnapshots() {
        features.snapshots();
        return restoresSnapshots();
    }

    /** Also makes, binds and destroys group snapshots; the host's cluster must know their three kinds, too. */
    public PersistentVolumeControllerBuilder takesGroupSnapshots() {
        features.groupSnapshots();
        return takesSnapshots();
    }

    /**
     * Also finds out by itself what claims are to be made from: snapshots that a {@link SnapshotController}, or Kubernetes' own, keeps
     * and has declared ready, and claims that are bound, which are kept from being deleted while they are cloned. Plugins are told
     * what they call it. Without it plugins find out by themselves. The host's cluster must know VolumeSnapshot and
     * VolumeSnapshotContent, if only as empty lists.
     */
    public PersistentVolumeControllerBuilder restoresSnapshots() {
        features.restores();
        return this;
    }

    /**
     * Keeps a scheduler's binder informed, so that the host need not. The controller lists and watches CSIDrivers, CSINodes
     * and CSIStorageCapacities then, too; it tells the binder whether or not it leads.
     */
    public PersistentVolumeControllerBuilder volumeBinder(VolumeBinder value) {
        binders.add(given("binder", value));
        return this;
    }

    /**
     * How many calls for volumes of the class may run at once, within what the plugin takes for all of its classes together; by
     * default only the plugin's limit counts. A class at its limit keeps no other class of the plugin waiting.
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
     * Makes the controller, which does nothing before {@link PersistentVolumeController#start()}.
     *
     * @throws IllegalStateException if something needed is missing, with all of that at once
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
