package io.volume4j.core.journal;

/**
 * A stretch of a journal that could not be read although something readable follows it, or although it was durable.
 *
 * @param offset first unreadable byte
 * @param bytes how many; zero when records are missing between two readable ones that touch
 * @param firstMissing sequence number of the first record that is lost here
 * @param missing how many records are lost here; at least one may be assumed when it is zero, because the count is only
 *     known when a readable record follows
 */
public record DamagedRange(long offset, long bytes, long firstMissing, long missing) {}
