package io.volume4j.core.journal;

import java.util.List;

/**
 * The findings of a replay besides the records.
 *
 * @param created true if there was no journal and a new one was created
 * @param cutBytes bytes of a last group that was not completely written when the process or the machine stopped; its
 *     records were never reported durable
 * @param damage ranges that were durable and are unreadable now, in order
 * @param headerRepaired true if one of the two copies of the header was unreadable; nothing is lost
 * @param bootIdChanged true if the machine was booted since the journal was last open
 * @param thisBootFrom the first sequence number of the present boot
 */
public record ReplayReport(
        boolean created,
        long cutBytes,
        List<DamagedRange> damage,
        boolean headerRepaired,
        boolean bootIdChanged,
        long thisBootFrom) {

    public ReplayReport {
        damage = List.copyOf(damage);
    }

    /**
     * True if durable records may be lost: the owner must treat everything as uncertain that the readable records do
     * not prove.
     */
    public boolean damaged() {
        return !damage.isEmpty();
    }
}
