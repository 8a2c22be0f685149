package io.volume4j.core.node.state;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.journal.AppendOutcome;
import io.volume4j.core.journal.AppendPriority;
import io.volume4j.core.journal.Journal;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalException;
import io.volume4j.core.journal.JournalStatus;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal for the node's world: appends rows, and calls back on the loop when they are durable. Loop thread only.
 */
public final class NodeJournal {
    private static final Logger LOG = LoggerFactory.getLogger(NodeJournal.class);
    private static final Duration COMPACT_AGAIN = Duration.ofSeconds(5);

    private final EventLoop loop;
    private final Supplier<List<JournalEntry>> snapshot;
    /** Null before {@link #open}: a node writes nothing before it has read its journal. */
    private @Nullable Journal journal;

    private boolean compacting;

    /** @param snapshot the whole state as rows; called on the loop, after {@link #open} */
    public NodeJournal(EventLoop loop, Supplier<List<JournalEntry>> snapshot) {
        this.loop = loop;
        this.snapshot = snapshot;
    }

    /** The journal is open, and the state contains its rows. */
    public void open(Journal opened) {
        journal = opened;
    }

    /** The status of the journal, all zero before {@link #open}. */
    public JournalStatus status() {
        return journal == null ? new JournalStatus(0, 0, 0, 0, false, false) : journal.status();
    }

    /** Closes the journal, which blocks for the disk. Does nothing before {@link #open}. */
    public void close() {
        if (journal != null) {
            journal.close();
        }
    }

    /**
     * Appends a row that must be durable before the effect. Calls back on the loop with null when it is durable, or
     * with the reason why it is not.
     */
    public void intent(JournalEntry entry, boolean teardown, Consumer<@Nullable VolumeException> durable) {
        if (journal == null) {
            durable.accept(VolumeException.transientFailure("the journal is not open"));
            return;
        }
        journal.append(entry, priority(teardown), outcome -> loop.execute(() -> durable.accept(failure(outcome))));
    }

    /** Appends a row after an effect. No caller waits for it: if it is lost, replay treats the state as uncertain. */
    public void note(JournalEntry entry) {
        if (journal == null) {
            return;
        }
        journal.note(entry, AppendPriority.TEARDOWN, failure -> {
            if (failure.kind() != JournalException.Kind.CLOSED) {
                loop.execute(this::compact);
            }
        });
    }

    /** Replaces the journal by a snapshot of the present state. */
    public void compact() {
        if (compacting || journal == null) {
            return;
        }
        List<JournalEntry> whole = snapshot.get();
        compacting = true;
        journal.compact(whole, outcome -> loop.execute(() -> compacted(outcome)));
    }

    private void compacted(AppendOutcome outcome) {
        compacting = false;
        if (outcome instanceof AppendOutcome.Failed failed && failed.cause().kind() != JournalException.Kind.CLOSED) {
            LOG.atWarn().addKeyValue("reason", failed.cause().getMessage()).log("journal snapshot failed; tried again");
            loop.schedule(COMPACT_AGAIN, this::compact);
        }
    }

    private static AppendPriority priority(boolean teardown) {
        return teardown ? AppendPriority.TEARDOWN : AppendPriority.NORMAL;
    }

    private static @Nullable VolumeException failure(AppendOutcome outcome) {
        if (outcome instanceof AppendOutcome.Failed failed) {
            return failed.cause().asVolumeException();
        }
        return null;
    }
}
