package io.volume4j.core.worlds;

/**
 * The state of a node's journal at one moment.
 *
 * @param bytes bytes of header and records, without the reserve
 * @param queuedRecords records that wait for the writer
 * @param queuedBytes bytes of their payload
 * @param awaitingSnapshot whether no append can become durable, because a write failed and the journal has not
 *     written the next full snapshot yet
 * @param outOfSpace whether the journal refused an append because the disk is full, and no append has succeeded since
 * @since 0.1.0
 */
public record JournalReading(
        long bytes, int queuedRecords, long queuedBytes, boolean awaitingSnapshot, boolean outOfSpace) {}
