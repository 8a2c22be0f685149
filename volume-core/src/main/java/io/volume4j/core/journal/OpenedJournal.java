package io.volume4j.core.journal;

/**
 * A journal that is ready for appends, with the records of an earlier run. The owner should drop {@code replayed}
 * after use.
 */
public record OpenedJournal(Journal journal, Replayed replayed) {}
