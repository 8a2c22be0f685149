package io.volume4j.core.journal;

import io.volume4j.core.journal.RecordLog.NoSpaceException;
import io.volume4j.spi.host.Instrumentation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of a {@link RecordLog}. It accepts records from the owner's loop, forms groups, writes and syncs them on
 * the given executor, and reports the results.
 *
 * <p><b>Threads.</b> At most one step is on the executor. A step writes a group, syncs the last group, or does one
 * half of a compaction, and returns the next step. An idle journal has no step, and no thread waits for one. The lock
 * guards the queue. No thread holds it during I/O or a callback.
 *
 * <p><b>No thread.</b> An executor without a thread for a step throws an exception, usually an Error, or may have
 * dropped the step. The owner's thread submits the first step of a run, and must not wait for the disk. So all waiting
 * commands are refused, nothing of them was written, and the next command tries again. The thread of the previous step
 * runs a later step itself. Each submission has a number: if the executor runs a step although it threw, the step does
 * nothing.
 *
 * <p><b>Exactly one callback.</b> A command belongs to the thread that removed it from the {@link CommandQueue} under
 * the lock. When a close times out, it removes all commands. When the writer returns from a slow disk, it then finds
 * no command to report.
 *
 * <p><b>Failed writes.</b> After a failed write or sync, the kernel may have dropped the dirty pages and marked them
 * clean, so that a second sync succeeds without having written anything. Therefore the log stays
 * {@linkplain RecordLog#trusted distrusted} until a snapshot in a new file is current, and every append until then
 * fails.
 */
final class GroupCommitJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommitJournal.class);

    private enum State {
        OPEN,
        /** New calls are refused; accepted ones are still written. */
        CLOSING,
        /** Close timed out, or the process is simulated dead; only the log must still be closed. */
        ABANDONED,
        CLOSED
    }

    private enum Writer {
        IDLE,
        /** A step waits on the executor. */
        SUBMITTED,
        /** A step, or a close, uses the log. */
        RUNNING
    }

    /** One access of the writer to the disk; returns the next step, or null for none. */
    private interface Step {
        @Nullable
        Step run();
    }

    private final RecordLog log;
    private final JournalOptions options;
    private final Executor executor;
    private final JournalListener listener;
    /** The step after each group. */
    private final Step writeNext = this::writeNext;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition letGo = lock.newCondition();
    /** Number of the last submission. */
    private final AtomicLong handOver = new AtomicLong();

    // All below: guarded by lock.
    private final CommandQueue queue;
    private State state = State.OPEN;
    private Writer writer = Writer.IDLE;
    /** Whether the last submission failed, so that an outage causes one log line. */
    private boolean noThread;

    private long lastDurable;
    private long logBytes;
    private boolean awaitingSnapshot;
    private boolean outOfSpace;
    private @Nullable SnapshotReason asked;

    GroupCommitJournal(
            RecordLog log, JournalOptions options, Executor executor, JournalListener listener, long lastDurable) {
        this.log = log;
        this.options = options;
        this.executor = executor;
        this.listener = listener;
        this.queue = new CommandQueue(options);
        this.lastDurable = lastDurable;
        this.logBytes = log.size();
        this.awaitingSnapshot = !log.trusted();
    }

    @Override
    public void append(JournalEntry entry, AppendPriority priority, JournalCallback callback) {
        accept(QueuedCommand.append(entry, priority, callback));
    }

    @Override
    public void note(JournalEntry entry, AppendPriority priority, Consumer<JournalException> failed) {
        accept(QueuedCommand.note(entry, priority, failed));
    }

    @Override
    public void compact(Iterable<JournalEntry> snapshot, JournalCallback callback) {
        accept(QueuedCommand.compaction(snapshot, callback));
    }

    @Override
    public JournalStatus status() {
        return locked(() ->
                new JournalStatus(queue.records(), queue.bytes(), logBytes, lastDurable, awaitingSnapshot, outOfSpace));
    }

    @Override
    public void close() {
        boolean atRest = locked(() -> {
            state = state == State.OPEN ? State.CLOSING : state;
            return writer == Writer.IDLE && queue.isEmpty();
        });
        if (!atRest) {
            wake();
            awaitLetGo();
        }
        List<QueuedCommand> abandoned = abandon();
        if (!abandoned.isEmpty()) {
            LOG.atWarn().addKeyValue("unacknowledged", abandoned.size()).log("journal closed before the disk answered");
        }
        abandoned.forEach(command -> refuse(command, JournalFailures.closed()));
    }

    /** Ends this journal as the death of the process would: it writes nothing more and calls no callbacks. */
    void kill() {
        abandon();
    }

    /** Requests a snapshot from the owner, once per reason; a failed write is a separate reason. */
    void ask(SnapshotReason reason) {
        boolean due = locked(() -> {
            boolean repeated = asked != null && (reason != SnapshotReason.WRITE_FAILED || asked == reason);
            if (queue.compacting() || repeated) {
                return false;
            }
            asked = reason;
            return true;
        });
        if (!due) {
            return;
        }
        try {
            listener.snapshotWanted(reason);
        } catch (Throwable e) {
            LOG.atError().setCause(e).addKeyValue("reason", reason).log("journal listener failed");
        }
    }

    private void accept(QueuedCommand command) {
        JournalException refusal = locked(() -> state == State.OPEN ? queue.offer(command) : JournalFailures.closed());
        if (refusal == null) {
            wake();
        } else {
            refuse(command, refusal);
        }
    }

    private void wake() {
        boolean submit = locked(() -> {
            boolean alive = state == State.OPEN || state == State.CLOSING;
            if (!alive || queue.isEmpty() || writer != Writer.IDLE) {
                return false;
            }
            writer = Writer.SUBMITTED;
            return true;
        });
        if (submit) {
            @Nullable Throwable noThread = handOver(writeNext);
            if (noThread != null) {
                refuseAll(JournalFailures.noThread(noThread));
            }
        }
    }

    /**
     * Submits a step to the executor. The writer is {@link Writer#SUBMITTED}.
     *
     * @return null, or why there is no thread for it; then the caller is the writer, and must run the step
     */
    private @Nullable Throwable handOver(Step step) {
        long mine = handOver.incrementAndGet();
        try {
            executor.execute(() -> runStep(step, mine));
            return null;
        } catch (Throwable refused) {
            return takenBack(mine, refused) ? refused : null;
        }
    }

    /** Takes back a submission that threw. False if the executor has begun the step, or done it. */
    private boolean takenBack(long mine, Throwable refused) {
        boolean[] news = new boolean[1];
        boolean back = locked(() -> {
            if (!isTurnOf(mine)) {
                return false;
            }
            writer = Writer.RUNNING;
            news[0] = !noThread;
            noThread = true;
            return true;
        });
        if (news[0]) {
            LOG.atError()
                    .addKeyValue("reason", refused.toString())
                    .log("journal has no thread to write with; refused records are tried again");
        }
        return back;
    }

    /** Whether the step with that number waits for a thread. Only with the lock. */
    private boolean isTurnOf(long number) {
        return writer == Writer.SUBMITTED && handOver.get() == number;
    }

    /** Refuses all waiting commands, of which nothing was written. The caller is the writer. */
    private void refuseAll(JournalException why) {
        List<QueuedCommand> refused = locked(queue::endAll);
        finish();
        refused.forEach(command -> refuse(command, why));
    }

    private void runStep(Step first, long mine) {
        boolean due = locked(() -> {
            if (!isTurnOf(mine)) {
                return false;
            }
            writer = Writer.RUNNING;
            noThread = false;
            return true;
        });
        if (!due) {
            return;
        }
        @Nullable Step next = runGuarded(first);
        while (next != null && mayGoOn()) {
            Step given = next;
            if (handOver(given) == null) {
                return;
            }
            next = runGuarded(given);
        }
        finish();
    }

    /** Whether another step may follow. If so, the caller must submit it. */
    private boolean mayGoOn() {
        return locked(() -> {
            if (state == State.ABANDONED) {
                return false;
            }
            writer = Writer.SUBMITTED;
            return true;
        });
    }

    /**
     * Runs a step. A defect in it must not leave commands without a report. An interrupt is restored afterwards,
     * because a file channel closes itself when its thread is interrupted.
     */
    private @Nullable Step runGuarded(Step step) {
        boolean interrupted = Thread.interrupted();
        try {
            return step.run();
        } catch (Throwable e) {
            log.distrust();
            lose("go on", new IOException(e.toString(), e));
            return report();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends a run of steps: becomes idle, continues if a command came meanwhile, or closes a log that is no longer
     * needed.
     */
    private void finish() {
        boolean last = locked(() -> {
            if (state == State.CLOSED || writer != Writer.RUNNING) {
                return false;
            }
            if (state == State.OPEN || (state == State.CLOSING && !queue.isEmpty())) {
                writer = Writer.IDLE;
                return false;
            }
            return true;
        });
        if (last) {
            closeLog();
        } else {
            wake();
        }
    }

    private void closeLog() {
        log.close();
        locked(() -> {
            state = State.CLOSED;
            writer = Writer.IDLE;
            letGo.signalAll();
            return state;
        });
    }

    private void awaitLetGo() {
        lock.lock();
        try {
            long nanos = options.closeTimeout().toNanos();
            while ((state == State.CLOSING || state == State.ABANDONED) && nanos > 0) {
                nanos = letGo.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Removes every command that has not been reported. Closes the log unless a step uses it. */
    private List<QueuedCommand> abandon() {
        List<QueuedCommand> taken = new ArrayList<>();
        boolean unused = locked(() -> {
            if (state == State.CLOSED) {
                return false;
            }
            taken.addAll(queue.endAll());
            state = State.ABANDONED;
            boolean idle = writer != Writer.RUNNING;
            writer = Writer.RUNNING;
            return idle;
        });
        if (unused) {
            closeLog();
        }
        return taken;
    }

    private @Nullable Step writeNext() {
        List<QueuedCommand> group = locked(queue::nextGroup);
        if (group.isEmpty()) {
            return null;
        }
        QueuedCommand first = group.get(0);
        Iterable<JournalEntry> snapshot = first.snapshot();
        return snapshot == null ? write(group) : prepare(first, snapshot);
    }

    private Step write(List<QueuedCommand> group) {
        if (!log.trusted()) {
            group.forEach(command -> command.fail(JournalFailures.awaitingSnapshot()));
            return report();
        }
        boolean written = false;
        boolean refused = false;
        boolean awaited = false;
        try {
            for (QueuedCommand command : group) {
                try {
                    command.written(log.add(command.requireEntry(), command.priority()));
                    written = true;
                    awaited |= command.awaited();
                } catch (NoSpaceException e) {
                    refused = true;
                    command.fail(JournalFailures.during("append a record", e));
                }
            }
            if (written) {
                log.write();
            }
        } catch (IOException e) {
            lose("write a group of records", e);
            return report();
        }
        noteSpace(refused);
        if (refused && log.worthCompacting()) {
            ask(SnapshotReason.SIZE);
        }
        if (!written) {
            return report();
        }
        // The next group with a waiting caller makes these durable too; a sync now would only delay it.
        return awaited ? this::sync : reportWritten();
    }

    /** A separate step, so that a simulated crash can happen between the write and the sync. */
    @SuppressWarnings("try") // the scope is the block
    private Step sync() {
        if (options.durability() == Durability.SYNCED) {
            try (Instrumentation.Scope sync = options.instrumentation().journalSync()) {
                log.sync();
            } catch (IOException e) {
                lose("sync a group of records", e);
                return report();
            }
        }
        return reportWritten();
    }

    private Step reportWritten() {
        Step next = report();
        if (log.outgrown()) {
            ask(SnapshotReason.SIZE);
        }
        return next;
    }

    private Step prepare(QueuedCommand command, Iterable<JournalEntry> snapshot) {
        try {
            log.prepareSnapshot(snapshot);
            return this::install;
        } catch (IOException e) {
            command.fail(JournalFailures.snapshotFailed(e));
            return report();
        }
    }

    private Step install() {
        try {
            long last = log.installSnapshot();
            locked(() -> {
                        asked = null;
                        return queue.inFlight();
                    })
                    .forEach(command -> command.written(last));
        } catch (IOException e) {
            lose("put a snapshot in force", e);
        }
        return report();
    }

    /** Fails the group that is being written, and requests a snapshot in a new file. */
    private void lose(String what, IOException cause) {
        JournalException failure = JournalFailures.during(what, cause);
        LOG.atError()
                .addKeyValue("reason", failure.getMessage())
                .log("journal is not durable until a snapshot is in a new file");
        locked(() -> {
                    awaitingSnapshot = true;
                    return queue.inFlight();
                })
                .forEach(command -> command.fail(failure));
        ask(SnapshotReason.WRITE_FAILED);
    }

    private void noteSpace(boolean refused) {
        boolean news = locked(() -> {
            boolean before = outOfSpace;
            outOfSpace = refused;
            return refused && !before;
        });
        if (news) {
            LOG.atWarn().log("journal is out of space: only teardown goes on, in the reserve");
        }
    }

    private Step report() {
        List<QueuedCommand> done = locked(() -> {
            List<QueuedCommand> group = queue.endGroup();
            logBytes = log.size();
            awaitingSnapshot = !log.trusted();
            for (QueuedCommand command : group) {
                if (command.awaited() && !command.failed()) {
                    lastDurable = Math.max(lastDurable, command.sequence());
                }
            }
            return group;
        });
        done.forEach(GroupCommitJournal::reportOne);
        return writeNext;
    }

    private static void refuse(QueuedCommand command, JournalException failure) {
        command.fail(failure);
        reportOne(command);
    }

    private static void reportOne(QueuedCommand command) {
        try {
            command.report();
        } catch (Throwable e) {
            // A defect in one callback must not stop the writer for all others.
            LOG.atError()
                    .setCause(e)
                    .addKeyValue("sequence", command.sequence())
                    .log("journal callback failed");
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
