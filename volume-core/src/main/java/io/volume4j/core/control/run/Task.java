package io.volume4j.core.control.run;

import io.volume4j.core.control.capacity.CapacityFeature;
import io.volume4j.core.control.ephemeral.EphemeralFeature;
import io.volume4j.core.control.expand.ExpandFeature;
import io.volume4j.core.control.health.HealthFeature;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.modify.ModifyFeature;
import io.volume4j.core.control.populate.PopulateFeature;
import io.volume4j.core.control.protection.ProtectionFeature;
import io.volume4j.core.control.snapshot.SnapshotFeature;
import io.volume4j.core.control.snapshot.SnapshotSettings;
import java.util.Arrays;
import java.util.List;

/**
 * The list of what a controller may do beside its duty, with the same objects and on the same loop. The plans of features for one
 * object stand side by side in the order of this list.
 */
public enum Task {
    /** Larger volumes and other attributes for claims that ask for them. */
    EXPANSION(
            (host, duty) -> new ExpandFeature(host, duty.only()), (host, duty) -> new ModifyFeature(host, duty.only())),
    /** Claims of pods' ephemeral volumes and claim templates. */
    POD_CLAIMS((host, duty) -> new EphemeralFeature(host)),
    /** Finalizers of claims, volumes and volume attributes classes that are in use. */
    PROTECTION((host, duty) -> new ProtectionFeature(host)),
    /** CSIStorageCapacity objects that tell schedulers what backends have left. */
    CAPACITY((host, duty) -> new CapacityFeature(host)),
    /** Volumes that are filled by populators of this process before their claims get them. */
    POPULATION((host, duty) -> new PopulateFeature(host, duty.populators())),
    /** Grants between namespaces and populators, by which claims are filled from objects of any kind. */
    DATA_SOURCES,
    /** Snapshots, their contents, and the claims that are kept while they are cut. */
    SNAPSHOTS((host, duty) -> new SnapshotFeature(host, snapshots(duty))),
    /** The same for groups of snapshots. */
    GROUP_SNAPSHOTS,
    /** Drivers hear for which snapshot they cut. */
    SNAPSHOT_METADATA,
    /** Claims that are filled from snapshots and claims of the cluster, which are kept meanwhile. */
    RESTORES((host, duty) -> new SnapshotFeature(host, snapshots(duty))),
    /** Events and conditions of claims that tell how their volumes are. */
    HEALTH((host, duty) -> new HealthFeature(host));

    /** Makes a feature with the settings of its controller. */
    private interface Maker {
        Feature<?, ?> on(Host host, Duty duty);
    }

    @SuppressWarnings("ImmutableEnumChecker") // never written
    private final Maker[] makers;

    Task(Maker... makers) {
        this.makers = makers;
    }

    /** What the task adds to the features of a controller with those settings. */
    List<Feature.Factory> features(Duty duty) {
        if (this == RESTORES && duty.has(SNAPSHOTS)) {
            // One feature does both.
            return List.of();
        }
        return Arrays.stream(makers)
                .<Feature.Factory>map(maker -> host -> maker.on(host, duty))
                .toList();
    }

    private static SnapshotSettings snapshots(Duty duty) {
        return new SnapshotSettings(
                duty.has(Task.SNAPSHOTS),
                duty.has(Task.GROUP_SNAPSHOTS),
                duty.has(Task.SNAPSHOT_METADATA),
                duty.has(Task.RESTORES),
                duty.only());
    }
}
