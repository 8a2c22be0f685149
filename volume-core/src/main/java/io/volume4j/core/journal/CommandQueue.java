package io.volume4j.core.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands that were accepted and not reported yet: those that wait, and the group that is being written. Bounded. Not
 * thread-safe: {@link GroupCommitJournal} guards it.
 */
final class CommandQueue {
    private final JournalOptions options;
    private final ArrayDeque<QueuedCommand> waiting = new ArrayDeque<>();
    private List<QueuedCommand> inFlight = List.of();
    private boolean compacting;
    private int records;
    private long bytes;

    CommandQueue(JournalOptions options) {
        this.options = options;
    }

    /** Accepts a command, or returns why it is refused. */
    @Nullable
    JournalException offer(QueuedCommand command) {
        if (command.snapshot() != null) {
            if (compacting) {
                return JournalFailures.compactionRunning();
            }
            compacting = true;
            waiting.add(command);
            return null;
        }
        long payload = command.payloadBytes();
        if (payload > options.maxRecordBytes()) {
            return JournalFailures.tooLarge(payload, options.maxRecordBytes());
        }
        if (records >= options.maxQueuedRecords() || bytes + payload > options.maxQueuedBytes()) {
            return JournalFailures.queueFull(records, bytes);
        }
        waiting.add(command);
        records++;
        bytes += payload;
        return null;
    }

    /** Starts the next group: a compaction alone, or at least one append up to the bound. */
    List<QueuedCommand> nextGroup() {
        if (waiting.isEmpty()) {
            inFlight = List.of();
            return inFlight;
        }
        List<QueuedCommand> group = new ArrayList<>(waiting.size());
        long encoded = 0;
        while (!waiting.isEmpty()) {
            QueuedCommand next = waiting.element();
            boolean compaction = next.snapshot() != null;
            encoded += JournalFormat.OVERHEAD + next.payloadBytes();
            if (!group.isEmpty() && (compaction || encoded > options.maxGroupBytes())) {
                break;
            }
            group.add(waiting.remove());
            if (compaction) {
                break;
            }
            records--;
            bytes -= next.payloadBytes();
        }
        inFlight = group;
        return group;
    }

    List<QueuedCommand> inFlight() {
        return inFlight;
    }

    /** Removes the group that was written, for its reports; empty if another thread has done so. */
    List<QueuedCommand> endGroup() {
        List<QueuedCommand> group = inFlight;
        inFlight = List.of();
        compacting &= group.isEmpty() || group.get(0).snapshot() == null;
        return group;
    }

    /** Removes all commands, for their reports. */
    List<QueuedCommand> endAll() {
        List<QueuedCommand> all = new ArrayList<>(endGroup());
        all.addAll(waiting);
        waiting.clear();
        compacting = false;
        records = 0;
        bytes = 0;
        return all;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether a compaction is accepted and not reported yet. */
    boolean compacting() {
        return compacting;
    }

    int records() {
        return records;
    }

    long bytes() {
        return bytes;
    }
}
