package io.volume4j.core.journal;

/**
 * Figures of one moment.
 *
 * @param queuedRecords accepted and not yet taken by the writer
 * @param queuedBytes their payload bytes
 * @param journalBytes bytes of the journal that hold header and records, without the reserve
 * @param lastDurableSequence the highest number reported durable, or found by replay; zero if there is none
 * @param awaitingSnapshot true while appends cannot become durable because a write failed
 * @param outOfSpace true after an append was refused for want of space, until one succeeds again
 */
public record JournalStatus(
        int queuedRecords,
        long queuedBytes,
        long journalBytes,
        long lastDurableSequence,
        boolean awaitingSnapshot,
        boolean outOfSpace) {}
