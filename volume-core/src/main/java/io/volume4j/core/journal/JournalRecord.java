package io.volume4j.core.journal;

/**
 * A record that replay found.
 * @param sequence its number, which increases by one with each record, also over compactions
 */
public record JournalRecord(long sequence, JournalEntry entry) {

    public int type() {
        return entry.type();
    }

    /** The array itself, not a copy. */
    public byte[] payload() {
        return entry.payload();
    }
}
