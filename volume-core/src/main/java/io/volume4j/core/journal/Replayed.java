package io.volume4j.core.journal;

import java.util.List;

/**
 * The records of an earlier run.
 *
 * @param previous identity in the existing journal, with the boot id under which it was last open; for a new journal
 *     its new identity
 * @param records every readable record of the owner, in order
 * @param report unreadable parts, and whether the machine was booted since
 */
public record Replayed(JournalIdentity previous, List<JournalRecord> records, ReplayReport report) {

    public Replayed {
        records = List.copyOf(records);
    }

    /**
     * Whether a record was written since the last boot of the machine. Mounts, device paths and loop devices of an
     * older record no longer exist, whatever it contains. If the journal is
     * {@linkplain ReplayReport#damaged() damaged}, the record of a boot may be lost too, and records of this boot then
     * count as older.
     */
    public boolean writtenInThisBoot(JournalRecord record) {
        return record.sequence() >= report.thisBootFrom();
    }
}
