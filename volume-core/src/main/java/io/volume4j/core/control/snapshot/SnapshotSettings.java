package io.volume4j.core.control.snapshot;

/**
 * The part of snapshots that a controller does.
 *
 * @param snapshots whether it creates, watches and deletes snapshots, and protects claims meanwhile
 * @param groups whether it does the same for group snapshots
 * @param metadata whether it passes names of the snapshot's objects to drivers
 * @param restores whether it creates volumes from snapshots and from claims, and protects these meanwhile
 * @param only the plugin whose snapshots it handles, {@code ""} for all
 */
public record SnapshotSettings(boolean snapshots, boolean groups, boolean metadata, boolean restores, String only) {}
