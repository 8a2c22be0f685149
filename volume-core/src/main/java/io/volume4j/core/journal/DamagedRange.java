package io.volume4j.core.journal;

/**
 * A range of a journal that could not be read although readable records follow it, or although it was durable.
 * @param offset the first unreadable byte
 * @param bytes the length in bytes; zero if records are missing between two adjacent readable ones
 * @param firstMissing sequence number of the first lost record
 * @param missing the number of lost records. Zero means unknown, at least one: the number is known only if a readable
 *     record follows
 */
public record DamagedRange(long offset, long bytes, long firstMissing, long missing) {}
