package io.volume4j.core.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Format version 1, byte by byte; {@code docs/journal-format.md} is the same for people. All numbers are big-endian.
 *
 * <pre>
 * file    header copy | header copy | record | record | ... | zeros up to the end of the file
 *
 * header  4096 bytes
 *   0     8  magic 89 56 34 4A 0D 0A 1A 0A
 *   8     2  format version
 *  10     6  zero
 *  16     8  salt
 *  24     8  sequence number of the first record
 *  32     8  number of records that are the snapshot
 *  40        node name, boot id, root id: each 2 bytes of length and that many of UTF-8
 *            zeros
 *  4092   4  CRC32C of the 4092 bytes before it
 *
 * record  28 bytes and the payload
 *   0     4  marker F6 4A 52 4E
 *   4     4  length of the payload
 *   8     8  sequence number
 *  16     1  type; 0 is {@link #BOOT}, 1..127 the owner's
 *  17     3  zero
 *  20     4  CRC32C of the salt and bytes 0..19
 *  24     n  payload
 *  24+n   4  CRC32C of the salt and bytes 0..24+n-1
 * </pre>
 *
 * <p>Every later version keeps the magic, the offset of the version, the size of a header copy, its checksum and the
 * number of copies, so that an older library can distinguish "newer" from "damaged".
 *
 * <p>The salt is random and new in every file. When the reader searches through damage, the salt prevents it from
 * accepting a payload that imitates a record, or a record of an old file.
 */
final class JournalFormat {
    static final int VERSION = 1;

    static final int HEADER_BYTES = 4096;
    static final int HEADER_COPIES = 2;
    static final int RECORDS_START = HEADER_COPIES * HEADER_BYTES;

    static final int HEAD_BYTES = 24;
    static final int OVERHEAD = HEAD_BYTES + 4;
    static final int MARKER = 0xF64A524E;

    /** A boot of the machine: the payload is the new boot id, valid from this record on. */
    static final byte BOOT = 0;

    private JournalFormat() {}

    /** Appends one record at the buffer's position. */
    static void putRecord(ByteBuffer target, long salt, long sequence, byte type, byte[] payload) {
        int start = target.position();
        target.putInt(MARKER).putInt(payload.length).putLong(sequence).put(type);
        target.put((byte) 0).put((byte) 0).put((byte) 0);
        CRC32C crc = salted(salt);
        update(crc, target, start, target.position());
        target.putInt((int) crc.getValue());
        target.put(payload);
        update(crc, target, start + HEAD_BYTES - 4, target.position());
        target.putInt((int) crc.getValue());
    }

    /** Whether the {@link #HEAD_BYTES} at an index are a record's head. Does not check its payload. */
    static boolean isHead(ByteBuffer bytes, int at, long salt) {
        int length = bytes.getInt(at + 4);
        if (bytes.getInt(at) != MARKER || length < 0 || length > JournalOptions.RECORD_BYTES_LIMIT) {
            return false;
        }
        CRC32C crc = salted(salt);
        update(crc, bytes, at, at + HEAD_BYTES - 4);
        return bytes.getInt(at + HEAD_BYTES - 4) == (int) crc.getValue() && bytes.get(at + 16) >= 0;
    }

    /** Whether a whole record with a valid head is intact. */
    static boolean isIntact(ByteBuffer bytes, int at, long salt) {
        int end = at + HEAD_BYTES + bytes.getInt(at + 4);
        CRC32C crc = salted(salt);
        update(crc, bytes, at, end);
        return bytes.getInt(end) == (int) crc.getValue();
    }

    private static CRC32C salted(long salt) {
        CRC32C crc = new CRC32C();
        for (int shift = 56; shift >= 0; shift -= 8) {
            crc.update((int) (salt >>> shift) & 0xFF);
        }
        return crc;
    }

    private static void update(CRC32C crc, ByteBuffer bytes, int from, int to) {
        crc.update(bytes.duplicate().limit(to).position(from));
    }
}
