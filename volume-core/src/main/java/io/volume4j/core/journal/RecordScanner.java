package io.volume4j.core.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the records of a file, also after damaged parts.
 *
 * <p>After a damaged record it searches byte by byte for the next intact one. If a readable record follows unreadable
 * bytes, these bytes were durable once, so they are damage. If no record follows, they are a group whose write was
 * interrupted by the end of the process or the machine. There are two exceptions, which count as damage: an end inside
 * the snapshot, which was synced before the file became current, and bytes that the disk cannot read.
 *
 * <p>After a power loss, a later page of an unsynced group may be on disk without an earlier one. The scanner reports
 * this as damage although no durable record is lost: it cannot distinguish the two cases, and doubt is the safe
 * choice.
 */
final class RecordScanner {

    /**
     * The contents of a file.
     *
     * @param records the owner's records
     * @param lastBootId the boot in which the file was last open
     * @param bootFrom the first sequence number of that boot
     * @param nextSequence the number of the next record: one more than the last number found, and more than that of a
     *     lost record at the end
     * @param snapshotEnd offset after the snapshot
     * @param tail offset after the last intact record
     * @param contentEnd offset after the bytes that follow it; the journal must clear them before it appends
     * @param cutBytes how many of those bytes are an incompletely written group
     * @param endLost whether durable records at the end are lost
     */
    record Scan(
            List<JournalRecord> records,
            String lastBootId,
            long bootFrom,
            long nextSequence,
            long snapshotEnd,
            long tail,
            long contentEnd,
            long cutBytes,
            boolean endLost,
            List<DamagedRange> damage) {}

    private final JournalHeader header;
    private final FileWindow window;
    private final List<JournalRecord> records = new ArrayList<>();
    private final List<DamagedRange> damage = new ArrayList<>();
    private String lastBootId;
    private long bootFrom;
    private long last;
    private long tail = JournalFormat.RECORDS_START;
    private long snapshotEnd = JournalFormat.RECORDS_START;

    private RecordScanner(JournalHeader header, FileWindow window) {
        this.header = header;
        this.window = window;
        this.lastBootId = header.identity().bootId();
        this.bootFrom = header.firstSequence();
        this.last = header.firstSequence() - 1;
    }

    static Scan scan(JournalHeader header, FileWindow window) throws IOException {
        return new RecordScanner(header, window).scan();
    }

    private Scan scan() throws IOException {
        long offset = tail;
        while (window.size() - offset >= JournalFormat.OVERHEAD) {
            int length = intactRecordAt(offset);
            if (length < 0) {
                offset = window.find((byte) (JournalFormat.MARKER >>> 24), offset + 1);
            } else {
                take(offset, length);
                offset = tail;
            }
        }
        long end = Math.max(window.endOfContent(tail), window.endOfUnreadable());
        long lostSnapshot = header.firstSequence() + header.snapshotRecords() - 1 - last;
        boolean lost =
                lostSnapshot > 0 || window.endOfUnreadable() > tail || window.size() < JournalFormat.RECORDS_START;
        long next = last + 1;
        if (lost) {
            next = Math.max(last + 2, header.firstSequence() + header.snapshotRecords());
            damage.add(new DamagedRange(tail, end - tail, last + 1, Math.max(0, lostSnapshot)));
        }
        return new Scan(
                records,
                lastBootId,
                bootFrom,
                next,
                snapshotEnd,
                tail,
                end,
                lost ? 0 : end - tail,
                lost,
                List.copyOf(damage));
    }

    /** The payload's length, or -1 unless an intact record of this file begins here that may follow the last one. */
    private int intactRecordAt(long offset) throws IOException {
        int head = window.require(offset, JournalFormat.HEAD_BYTES);
        if (!JournalFormat.isHead(window.bytes(), head, header.salt())) {
            return -1;
        }
        int length = window.bytes().getInt(head + 4);
        if (window.size() - offset - JournalFormat.OVERHEAD < length
                || window.bytes().getLong(head + 8) <= last) {
            return -1;
        }
        int whole = window.require(offset, JournalFormat.OVERHEAD + length);
        return JournalFormat.isIntact(window.bytes(), whole, header.salt()) ? length : -1;
    }

    private void take(long offset, int length) throws IOException {
        int at = window.require(offset, JournalFormat.OVERHEAD + length);
        long sequence = window.bytes().getLong(at + 8);
        byte type = window.bytes().get(at + 16);
        byte[] payload = new byte[length];
        window.bytes().get(at + JournalFormat.HEAD_BYTES, payload);
        if (offset > tail || sequence != last + 1) {
            damage.add(new DamagedRange(tail, offset - tail, last + 1, sequence - last - 1));
        }
        if (type == JournalFormat.BOOT) {
            lastBootId = new String(payload, StandardCharsets.UTF_8);
            bootFrom = sequence;
        } else {
            records.add(new JournalRecord(sequence, new JournalEntry(type, payload)));
        }
        last = sequence;
        tail = offset + JournalFormat.OVERHEAD + length;
        if (sequence < header.firstSequence() + header.snapshotRecords()) {
            snapshotEnd = tail;
        }
    }
}
