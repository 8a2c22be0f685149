package io.volume4j.core.journal;

/** Told once how an append or a compaction ended. Runs on the journal's writer: post to your own loop and return. */
@FunctionalInterface
public interface JournalCallback {

    void completed(AppendOutcome outcome);
}
