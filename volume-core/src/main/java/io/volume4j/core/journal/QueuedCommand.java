package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** One accepted call and, as the writer works on it, what became of it. Handed from thread to thread, never shared. */
final class QueuedCommand {
    private final @Nullable JournalEntry entry;
    private final @Nullable Iterable<JournalEntry> snapshot;
    private final AppendPriority priority;
    private final JournalCallback callback;
    private long sequence;
    private @Nullable JournalException failure;

    private QueuedCommand(
            @Nullable JournalEntry entry,
            @Nullable Iterable<JournalEntry> snapshot,
            AppendPriority priority,
            JournalCallback callback) {
        this.entry = entry;
        this.snapshot = snapshot;
        this.priority = priority;
        this.callback = callback;
    }

    static QueuedCommand append(JournalEntry entry, AppendPriority priority, JournalCallback callback) {
        return new QueuedCommand(entry, null, priority, callback);
    }

    static QueuedCommand compaction(Iterable<JournalEntry> snapshot, JournalCallback callback) {
        return new QueuedCommand(null, snapshot, AppendPriority.NORMAL, callback);
    }

    JournalEntry requireEntry() {
        return requireNonNull(entry, "a compaction has no entry");
    }

    @Nullable
    Iterable<JournalEntry> snapshot() {
        return snapshot;
    }

    AppendPriority priority() {
        return priority;
    }

    long payloadBytes() {
        return entry == null ? 0 : entry.payload().length;
    }

    void written(long newSequence) {
        sequence = newSequence;
    }

    boolean failed() {
        return failure != null;
    }

    long sequence() {
        return sequence;
    }

    /** The first failure counts; a later one is its consequence. */
    void fail(JournalException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** Tells the owner. */
    void report() {
        callback.completed(failure == null ? new AppendOutcome.Durable(sequence) : new AppendOutcome.Failed(failure));
    }
}
