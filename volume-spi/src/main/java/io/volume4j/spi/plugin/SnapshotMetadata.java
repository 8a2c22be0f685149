package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.List;
import java.util.Map;

/**
 * Reports which blocks of a snapshot contain data, and which blocks differ between two snapshots. A backup then need
 * not read the other blocks.
 *
 * @since 0.1.0
 */
public interface SnapshotMetadata {
    /** Passes the blocks that contain data to the sink. */
    void allocated(AllocatedRequest request, BlockSink sink, CallContext context);

    /**
     * Passes the blocks that differ between two snapshots of one volume to the sink.
     *
     * @throws io.volume4j.spi.VolumeException final, if the backend no longer knows the differences; then the caller
     *     must read the whole snapshot
     */
    void changed(ChangedRequest request, BlockSink sink, CallContext context);

    /** The snapshot, and the byte offset to start at. */
    record AllocatedRequest(String handle, long startingOffset, Map<String, String> parameters) {}

    /** The two snapshots, the earlier one first, and the byte offset to start at. */
    record ChangedRequest(
            String baseHandle, String targetHandle, long startingOffset, Map<String, String> parameters) {}

    /**
     * Receives the blocks in ascending order. The same block may come twice if the plugin continued a broken stream.
     * An exception of the sink ends the call.
     */
    @FunctionalInterface
    interface BlockSink {
        void accept(long volumeBytes, List<Block> blocks);
    }

    /** A range of bytes. */
    record Block(long offset, long bytes) {}
}
