/**
 * The gRPC service for backup programs that read the blocks of snapshots. Uses the generated schema and the core's
 * {@code SnapshotBlocks}, and no driver.
 */
package io.volume4j.csi.internal.metadata;
