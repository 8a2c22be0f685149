package io.volume4j.core.journal;

import java.util.List;

/**
 * The records of an earlier run.
 *
 * @param previous identity in the journal that was found, with the boot id under which it was last open; for a new
 *     journal the identity it was created with
 * @param records every readable record in order, the journal's own left out
 * @param report what was not readable, and whether the machine was booted since
 */
public record Replayed(JournalIdentity previous, List<JournalRecord> records, ReplayReport report) {

    public Replayed {
        records = List.copyOf(records);
    }

    /**
     * Whether a record was written since the machine was last booted. Mounts, device paths and loop devices that an older
     * record speaks of are gone, whatever it says. With a {@linkplain ReplayReport#damaged() damaged} journal the note of a
     * boot may itself be lost, and records of this boot then count as older.
     */
    public boolean writtenInThisBoot(JournalRecord record) {
        return record.sequence() >= report.thisBootFrom();
    }
}
