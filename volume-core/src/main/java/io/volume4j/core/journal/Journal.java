package io.volume4j.core.journal;

import java.util.function.Consumer;

/**
 * An append-only log of opaque records with durable acknowledgement.
 *
 * <p><b>Order.</b> Records and compactions take effect in the order in which they were accepted. A record is reported
 * durable only when every earlier record is durable too, except for records that were reported as failed.
 *
 * <p><b>Callbacks.</b> Every call of {@link #append} and {@link #compact} leads to exactly one call of its callback, also
 * when the journal is closed meanwhile. A refusal that is known at once (queue full, closed, record too large) is
 * reported on the calling thread before the method returns. Everything else is reported on the journal's writer. A
 * callback must not block and must not throw: it posts to the owner's loop and returns.
 *
 * <p><b>Threads.</b> All methods are safe to call from any thread. Only {@link #close} may block, and for a bounded time.
 */
public interface Journal extends AutoCloseable {

    /**
     * Accepts one record for writing. Never waits for a disk.
     *
     * <p>The payload is not copied: the caller must not change it afterwards.
     *
     * @param priority {@link AppendPriority#TEARDOWN} for records that teardown needs; they may use the reserve of a
     *     full disk
     */
    void append(JournalEntry entry, AppendPriority priority, JournalCallback callback);

    /**
     * Accepts one record that no caller waits for, such as the end of an operation whose begin is already appended. It
     * is written at once, so the end of this process does not lose it. It becomes durable with the next appended
     * record, or when the machine writes back its cache. Until then, a power loss may remove it and every later note.
     *
     * <p>Bounds, order and priority are those of {@link #append}.
     *
     * @param failed called once if the record could not be written, like a callback of {@link #append}. If a later
     *     sync fails, the journal requests a snapshot from the listener; that snapshot then contains the note's
     *     content.
     */
    default void note(JournalEntry entry, AppendPriority priority, Consumer<JournalException> failed) {
        append(entry, priority, outcome -> {
            if (outcome instanceof AppendOutcome.Failed failure) {
                failed.accept(failure.cause());
            }
        });
    }

    /**
     * Replaces everything accepted so far by a full snapshot in a new file. Never waits for a disk.
     *
     * <p>The snapshot must contain the state after every record that the owner has appended before this call,
     * including records that are not written yet. Records appended later follow it. The writer iterates it once, so it
     * must be immutable; its entries may be encoded lazily. It gets the current boot id.
     *
     * <p>After a failed compaction the old file stays current, unless the journal was already
     * {@linkplain JournalStatus#awaitingSnapshot() awaiting a snapshot}. The journal does not repeat its request: the
     * owner retries with its own backoff. Only one compaction may be under way; the journal refuses a second one with
     * {@link JournalException.Kind#COMPACTION_RUNNING}.
     *
     * @param callback gets the sequence number of the last record of the snapshot when the new file is durable
     */
    void compact(Iterable<JournalEntry> snapshot, JournalCallback callback);

    /** Figures for {@code explain} and metrics: a consistent snapshot. Never waits for a disk. */
    JournalStatus status();

    /**
     * Writes and syncs accepted records until the close timeout, then fails the rest with
     * {@link JournalException.Kind#CLOSED}. Idempotent. If the disk does not answer in time, this method returns, but
     * the root stays locked until the writer has returned. Otherwise its late write could damage a later owner's file.
     */
    @Override
    void close();
}
