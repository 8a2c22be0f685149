package io.volume4j.csi.internal.rules;

import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a stream of changed or allocated blocks part by part, also across a broken stream and its continuation, and knows
 * where to resume. A backup program that accepted an unordered stream would silently miss data.
 *
 * <p>Belongs to one stream; not thread-safe.
 */
public final class BlockStream {
    private final long start;
    private long next;
    private boolean fresh = true;
    private @Nullable BlockMetadataType style;
    private long capacity;
    private long blockSize;

    /** A stream that begins at this offset. */
    public BlockStream(long startingOffset) {
        this.start = startingOffset;
        this.next = startingOffset;
    }

    /** The byte behind the last received block: the offset of a continuation. */
    public long resumeAt() {
        return next;
    }

    /** Whether a block was received. */
    public boolean progressed() {
        return next > start;
    }

    /** Whether the last block ended where the volume ends. Then no block can follow, and the driver may refuse the offset. */
    public boolean reachedEnd() {
        return capacity > 0 && next >= capacity;
    }

    /** Records that the caller continues the broken stream from {@link #resumeAt()}. */
    public void resumed() {
        fresh = true;
    }

    /** The violations in the next part of the stream. A part without violations moves {@link #resumeAt()}. */
    public List<String> accept(BlockMetadataType partStyle, long partCapacity, List<BlockMetadata> blocks) {
        List<String> complaints = new ArrayList<>();
        if (style == null) {
            style = partStyle;
            capacity = partCapacity;
        }
        if (partStyle != style || partCapacity != capacity) {
            complaints.add("block_metadata_type or volume_capacity_bytes changed within the stream");
        }
        long reached = next;
        for (BlockMetadata block : blocks) {
            reached = check(block, reached, complaints);
        }
        if (complaints.isEmpty()) {
            next = reached;
        }
        return complaints;
    }

    /** The first block may begin before the requested offset, since a driver rounds down to its blocks. */
    private long check(BlockMetadata block, long reached, List<String> complaints) {
        long offset = block.getByteOffset();
        long size = block.getSizeBytes();
        long end = offset + size;
        if (offset < 0 || size <= 0 || end < 0 || offset >= capacity) {
            complaints.add("block at %d with %d bytes lies outside a volume of %d".formatted(offset, size, capacity));
            return reached;
        }
        if (offset < reached && !(fresh && end > reached)) {
            complaints.add("block at %d comes after byte %d was reached".formatted(offset, reached));
            return reached;
        }
        fresh = false;
        if (style == BlockMetadataType.FIXED_LENGTH) {
            if (blockSize == 0) {
                blockSize = size;
            }
            if (size != blockSize && end != capacity) {
                complaints.add(
                        "block at %d has %d bytes in a stream of blocks of %d".formatted(offset, size, blockSize));
            }
        }
        return end;
    }
}
