package io.volume4j.core.journal;

import java.util.function.Consumer;

/**
 * An append-only log of opaque records with durable acknowledgement.
 *
 * <p><b>Order.</b> Records and compactions take effect in the order in which they were accepted. A record is reported
 * durable only when every record before it that was not reported failed is durable too.
 *
 * <p><b>Callbacks.</b> Every call of {@link #append} and {@link #compact} leads to exactly one call of its callback, also
 * when the journal is closed meanwhile. A refusal that is known at once (queue full, closed, record too large) is
 * reported on the calling thread before the method returns; everything else is reported on the journal's writer. A
 * callback must not block and must not throw: it posts to the owner's loop and returns.
 *
 * <p><b>Threads.</b> All methods are safe to call from any thread. Only {@link #close} may block, and for a bounded time.
 */
public interface Journal extends AutoCloseable {

    /**
     * Accepts one record for writing; never waits for a disk.
     *
     * <p>The payload is not copied: the caller must not change it afterwards.
     *
     * @param priority {@link AppendPriority#TEARDOWN} for records without which nothing could be taken down; they may
     *     use the reserve of a full disk
     */
    void append(JournalEntry entry, AppendPriority priority, JournalCallback callback);

    /**
     * Accepts one record that no caller waits for, such as how something ended whose beginning was appended before: it is
     * written at once, so that the end of this process does not lose it, and becomes durable with the next record that is
     * appended, at the latest when the machine writes back what it holds. Until then a loss of power may take it, and
     * every note behind it.
     *
     * <p>Bounds, order and priority are those of {@link #append}.
     *
     * @param failed told once if the record could not be written, as a callback of {@link #append} is; not called else. A
     *     sync that fails later tells the listener that it wants a snapshot, which then holds what the note said.
     */
    default void note(JournalEntry entry, AppendPriority priority, Consumer<JournalException> failed) {
        append(entry, priority, outcome -> {
            if (outcome instanceof AppendOutcome.Failed failure) {
                failed.accept(failure.cause());
            }
        });
    }

    /**
     * Replaces everything accepted so far by a full snapshot in a new file; never waits for a disk.
     *
     * <p>The snapshot must hold what the owner needs to know of everything it has appended up to this call, with records
     * that are still on their way included; records appended later follow it. It is iterated once, on the writer, so it
     * must be immutable; its entries may be encoded lazily. All of it is stamped with the current boot id.
     *
     * <p>A failed compaction leaves the old file in force, unless the journal was already {@linkplain
     * JournalStatus#awaitingSnapshot() awaiting a snapshot}. The journal does not ask again by itself: the owner retries
     * with its own backoff. Only one compaction may be under way; a second is refused with {@link
     * JournalException.Kind#COMPACTION_RUNNING}.
     *
     * @param callback told the sequence number of the last record of the snapshot once the new file is durable
     */
    void compact(Iterable<JournalEntry> snapshot, JournalCallback callback);

    /** Figures for {@code explain} and metrics; a consistent snapshot, never blocking for a disk. */
    JournalStatus status();

    /**
     * Writes and syncs what was accepted, as far as the configured close timeout allows, then fails the rest with {@link
     * JournalException.Kind#CLOSED}. Idempotent. If the disk does not answer in time this returns all the same; the
     * root stays locked until the writer has come back, because its late write could hit a successor's file.
     */
    @Override
    void close();
}
