package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.List;
import java.util.Map;

/**
 * Says which blocks of a snapshot hold data, and which differ between two, so that a backup need not read the others.
 *
 * @since 0.1.0
 */
public interface SnapshotMetadata {
    /** The blocks that hold data. */
    void allocated(AllocatedRequest request, BlockSink sink, CallContext context);

    /**
     * The blocks that differ between two snapshots of one volume.
     *
     * @throws io.volume4j.spi.VolumeException final, if the backend does not know any more; then the whole is to be read
     */
    void changed(ChangedRequest request, BlockSink sink, CallContext context);

    /** Which snapshot, and from which byte on. */
    record AllocatedRequest(String handle, long startingOffset, Map<String, String> parameters) {}

    /** Which snapshots, the earlier one first, and from which byte on. */
    record ChangedRequest(
            String baseHandle, String targetHandle, long startingOffset, Map<String, String> parameters) {}

    /**
     * Takes the blocks in ascending order; the same block may come twice where a broken stream was continued. What it
     * throws ends the call.
     */
    @FunctionalInterface
    interface BlockSink {
        void accept(long volumeBytes, List<Block> blocks);
    }

    /** A run of bytes. */
    record Block(long offset, long bytes) {}
}
