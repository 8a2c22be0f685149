/**
 * Answers backup programs that ask for the blocks of snapshots, over gRPC. May use the generated schema and the core's {@code
 * SnapshotBlocks}; knows no driver.
 */
package io.volume4j.csi.internal.metadata;
