package io.volume4j.core.journal;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of a file, in the layout of {@link JournalFormat}.
 *
 * @param identity the owner of the journal; the boot id is that of the file's creation
 * @param salt makes this file's checksums different from those of any other
 * @param firstSequence number of the first record
 * @param snapshotRecords the number of first records that were durable before the file became current
 */
record JournalHeader(JournalIdentity identity, long salt, long firstSequence, long snapshotRecords) {
    private static final long MAGIC = 0x8956344A0D0A1A0AL;
    private static final int CRC_AT = JournalFormat.HEADER_BYTES - 4;

    /** The condition of one copy of a header. */
    enum Condition {
        VALID,
        /** Intact, and written by a newer library. */
        NEWER,
        DAMAGED
    }

    static Condition conditionOf(ByteBuffer copy) {
        if (copy.getLong(0) != MAGIC || copy.getInt(CRC_AT) != checksum(copy)) {
            return Condition.DAMAGED;
        }
        int version = versionOf(copy);
        if (version > JournalFormat.VERSION) {
            return Condition.NEWER;
        }
        return version == JournalFormat.VERSION && decode(copy) != null ? Condition.VALID : Condition.DAMAGED;
    }

    static int versionOf(ByteBuffer copy) {
        return Short.toUnsignedInt(copy.getShort(8));
    }

    /** Parses an intact copy of this version; null if its fields are invalid. */
    static @Nullable JournalHeader decode(ByteBuffer copy) {
        ByteBuffer in = copy.duplicate().limit(CRC_AT).position(16);
        try {
            long salt = in.getLong();
            long first = in.getLong();
            long snapshot = in.getLong();
            JournalIdentity identity = new JournalIdentity(text(in), text(in), text(in));
            return first < 1 || snapshot < 0 ? null : new JournalHeader(identity, salt, first, snapshot);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return null;
        }
    }

    /** One encoded copy. */
    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(JournalFormat.HEADER_BYTES);
        out.putLong(MAGIC).putShort((short) JournalFormat.VERSION).position(16);
        out.putLong(salt).putLong(firstSequence).putLong(snapshotRecords);
        putText(out, identity.nodeName());
        putText(out, identity.bootId());
        putText(out, identity.rootId());
        return out.putInt(CRC_AT, checksum(out)).rewind();
    }

    private static void putText(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.putShort((short) bytes.length).put(bytes);
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int checksum(ByteBuffer copy) {
        CRC32C crc = new CRC32C();
        crc.update(copy.duplicate().limit(CRC_AT).position(0));
        return (int) crc.getValue();
    }
}
