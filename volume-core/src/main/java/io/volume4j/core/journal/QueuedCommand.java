package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An accepted call and its outcome. Passed from thread to thread, never shared. */
final class QueuedCommand {
    private final @Nullable JournalEntry entry;
    private final @Nullable Iterable<JournalEntry> snapshot;
    private final AppendPriority priority;
    private final boolean awaited;
    private final JournalCallback callback;
    private long sequence;
    private @Nullable JournalException failure;

    private QueuedCommand(
            @Nullable JournalEntry entry,
            @Nullable Iterable<JournalEntry> snapshot,
            AppendPriority priority,
            boolean awaited,
            JournalCallback callback) {
        this.entry = entry;
        this.snapshot = snapshot;
        this.priority = priority;
        this.awaited = awaited;
        this.callback = callback;
    }

    static QueuedCommand append(JournalEntry entry, AppendPriority priority, JournalCallback callback) {
        return new QueuedCommand(entry, null, priority, true, callback);
    }

    /** A record that need not be durable before the next record with a waiting caller. */
    static QueuedCommand note(JournalEntry entry, AppendPriority priority, Consumer<JournalException> failed) {
        return new QueuedCommand(entry, null, priority, false, outcome -> {
            if (outcome instanceof AppendOutcome.Failed failure) {
                failed.accept(failure.cause());
            }
        });
    }

    static QueuedCommand compaction(Iterable<JournalEntry> snapshot, JournalCallback callback) {
        return new QueuedCommand(null, snapshot, AppendPriority.NORMAL, true, callback);
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

    /** Whether a caller waits until it is durable. */
    boolean awaited() {
        return awaited;
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

    /** Stores the failure. The first one counts; a later one is its consequence. */
    void fail(JournalException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** Reports the outcome to the owner. A successful note has no report. */
    void report() {
        if (failure != null) {
            callback.completed(new AppendOutcome.Failed(failure));
        } else if (awaited) {
            callback.completed(new AppendOutcome.Durable(sequence));
        }
    }
}
