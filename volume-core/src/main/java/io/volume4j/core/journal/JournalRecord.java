package io.volume4j.core.journal;

/**
 * A record as replay found it.
 *
 * @param sequence its number; rises by one from record to record and over compactions, never starts again
 */
public record JournalRecord(long sequence, JournalEntry entry) {

    public int type() {
        return entry.type();
    }

    /** The bytes themselves, not a copy. */
    public byte[] payload() {
        return entry.payload();
    }
}
