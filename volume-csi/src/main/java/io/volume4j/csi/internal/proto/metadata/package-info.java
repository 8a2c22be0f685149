/**
 * The messages and stubs by which backup programs ask for the blocks of snapshots, generated from {@code snapshotmetadata.proto}.
 * Nothing is written here by hand.
 */
@NullUnmarked
package io.volume4j.csi.internal.proto.metadata;

import org.jspecify.annotations.NullUnmarked;
