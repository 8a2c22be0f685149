package io.volume4j.core.control.snapshot;

/**
 * What a controller does about snapshots.
 *
 * @param snapshots whether it creates, watches and deletes snapshots, and keeps claims while it does
 * @param groups whether it does the same for groups of snapshots
 * @param metadata whether drivers are told for which snapshot they create one
 * @param restores whether volumes are made from snapshots and from claims, which are kept meanwhile
 * @param only the plugin whose snapshots it cares for, {@code ""} for all
 */
public record SnapshotSettings(boolean snapshots, boolean groups, boolean metadata, boolean restores, String only) {}
