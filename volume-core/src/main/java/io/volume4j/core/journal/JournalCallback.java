package io.volume4j.core.journal;

/**
 * Receives the outcome of an append or a compaction, exactly once. Runs on the journal's writer thread: post to your
 * own loop and return.
 */
@FunctionalInterface
public interface JournalCallback {

    void completed(AppendOutcome outcome);
}
