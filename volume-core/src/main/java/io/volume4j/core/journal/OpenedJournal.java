package io.volume4j.core.journal;

/** A journal ready for appends, with what an earlier run left in it. The owner drops {@code replayed} when it is done. */
public record OpenedJournal(Journal journal, Replayed replayed) {}
