package io.volume4j.core.worlds;

/**
 * The state of a node's journal at one moment.
 *
 * @param bytes that hold header and records, without the reserve
 * @param queuedRecords appended and not yet taken by the writer
 * @param queuedBytes of their payload
 * @param awaitingSnapshot whether no append becomes durable, because a write failed and the next full snapshot is not written yet
 * @param outOfSpace whether an append was refused for want of space and none has succeeded since
 * @since 0.1.0
 */
public record JournalReading(
        long bytes, int queuedRecords, long queuedBytes, boolean awaitingSnapshot, boolean outOfSpace) {}
