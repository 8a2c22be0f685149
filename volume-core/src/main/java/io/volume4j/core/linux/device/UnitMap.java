package io.volume4j.core.linux.device;

import io.volume4j.core.linux.device.SignatureRegions.Region;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a thinly provisioned SCSI unit that may contain data, as the unit reports them. Unmapped blocks read
 * as zeros (SBC-3, READ CAPACITY(16) with LBPME and LBPRZ, GET LBA STATUS). The map is usable only if the unit reports
 * this for all its blocks.
 */
final class UnitMap {
    private static final int DEALLOCATED = 1;
    private static final int PROVISIONED_THINLY = 0x80;
    private static final int READS_ZEROS = 0x40;
    private static final int HEADER = 8;
    private static final int DESCRIPTOR = 16;

    /** If a unit has more parts than this, the rest counts as one part. */
    private static final int MOST_PARTS = 10_000;

    /** If a unit needs more queries than this, reading it is faster. */
    private static final int MOST_QUESTIONS = 1_000;

    /** Queries to a unit. Each answer is empty if the unit, or a layer above it, does not support the query. */
    interface Unit {
        /** The answer to READ CAPACITY(16), 32 bytes. */
        byte[] capacity();

        /** Flushes the device, so that the unit's answers are complete. */
        void flush();

        /** The answer to GET LBA STATUS, from this block on. */
        byte[] status(long block);
    }

    private UnitMap() {}

    /**
     * The map, null if the unit does not report which blocks read as zeros. The unit must have the device's size.
     * Otherwise the device is a part of the unit, and their block numbers differ.
     */
    static @Nullable DataExtents of(Unit unit, long bytes) {
        byte[] capacity = unit.capacity();
        if (capacity.length < 32) {
            return null;
        }
        ByteBuffer told = ByteBuffer.wrap(capacity);
        long blocks = told.getLong(0) + 1;
        long blockBytes = Integer.toUnsignedLong(told.getInt(8));
        int provisioning = told.get(14);
        boolean speaks = (provisioning & PROVISIONED_THINLY) != 0 && (provisioning & READS_ZEROS) != 0;
        boolean whole = blocks > 0 && blockBytes > 0 && blocks == bytes / blockBytes && bytes % blockBytes == 0;
        if (!speaks || !whole) {
            return null;
        }
        unit.flush();
        return mapped(unit, blocks, blockBytes);
    }

    private static @Nullable DataExtents mapped(Unit unit, long blocks, long blockBytes) {
        List<Region> parts = new ArrayList<>();
        long next = 0;
        for (int question = 0; next < blocks && question < MOST_QUESTIONS && parts.size() < MOST_PARTS; question++) {
            long before = next;
            ByteBuffer answer = ByteBuffer.wrap(unit.status(next));
            for (int at = HEADER; at + DESCRIPTOR <= answer.limit() && next < blocks; at += DESCRIPTOR) {
                long from = answer.getLong(at);
                long count = Integer.toUnsignedLong(answer.getInt(at + 8));
                // The first range may begin before the requested block.
                if (from > next || from < 0 || count == 0 || from + count <= next) {
                    break;
                }
                long to = Math.min(blocks, from + count);
                if ((answer.get(at + 12) & 0x0f) != DEALLOCATED) {
                    DataExtents.add(parts, next * blockBytes, to * blockBytes);
                }
                next = to;
            }
            if (next == before) {
                return null;
            }
        }
        if (next < blocks) {
            DataExtents.add(parts, next * blockBytes, blocks * blockBytes);
        }
        return new DataExtents(parts, blocks * blockBytes, "mapped to nothing by the unit");
    }
}
