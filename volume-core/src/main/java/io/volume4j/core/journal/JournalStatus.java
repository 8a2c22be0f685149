package io.volume4j.core.journal;

/**
 * The state of a journal at one moment.
 *
 * @param queuedRecords records that wait for the writer
 * @param queuedBytes their payload bytes
 * @param journalBytes bytes of the journal that hold header and records, without the reserve
 * @param lastDurableSequence the highest number reported durable, or found by replay; zero if there is none
 * @param awaitingSnapshot true while appends cannot become durable because a write failed
 * @param outOfSpace true after the journal refused an append because the disk is full, until an append succeeds
 */
public record JournalStatus(
        int queuedRecords,
        long queuedBytes,
        long journalBytes,
        long lastDurableSequence,
        boolean awaitingSnapshot,
        boolean outOfSpace) {}
