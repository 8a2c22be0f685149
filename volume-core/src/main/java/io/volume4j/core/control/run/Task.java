package io.volume4j.core.control.run;

/** What an agent may do beside its duty, with the same objects and on the same loop. */
public enum Task {
    /** Larger volumes and other attributes for claims that ask for them. */
    EXPANSION,
    /** Finalizers of claims, volumes and volume attributes classes that are in use. */
    PROTECTION,
    /** Claims of pods' ephemeral volumes and claim templates. */
    POD_CLAIMS,
    /** CSIStorageCapacity objects that tell schedulers what backends have left. */
    CAPACITY,
    /** Grants between namespaces and populators, by which claims are filled from objects of any kind. */
    DATA_SOURCES,
    /** Events and conditions of claims that tell how their volumes are. */
    HEALTH,
    /** Snapshots, their contents, and the claims that are kept while they are cut. */
    SNAPSHOTS,
    /** The same for groups of snapshots. */
    GROUP_SNAPSHOTS,
    /** Drivers hear for which snapshot they cut. */
    SNAPSHOT_METADATA,
    /** Claims that are filled from snapshots and claims of the cluster, which are kept meanwhile. */
    RESTORES,
    /** Volumes that are filled by populators of this process before their claims get them. */
    POPULATION
}
