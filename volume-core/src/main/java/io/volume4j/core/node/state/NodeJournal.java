package io.volume4j.core.node.state;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.journal.AppendOutcome;
import io.volume4j.core.journal.AppendPriority;
import io.volume4j.core.journal.Journal;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalException;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal as the node's world uses it: rows in, and word on the loop when they are durable. Loop thread only. */
public final class NodeJournal {
    private static final Logger LOG = LoggerFactory.getLogger(NodeJournal.class);
    private static final Duration COMPACT_AGAIN = Duration.ofSeconds(5);

    private final EventLoop loop;
    private final Journal journal;
    private final Supplier<List<JournalEntry>> snapshot;
    private boolean compacting;

    public NodeJournal(EventLoop loop, Journal journal, Supplier<List<JournalEntry>> snapshot) {
        this.loop = loop;
        this.journal = journal;
        this.snapshot = snapshot;
    }

    /** Appends what must be durable before something is done; tells the loop null when it is, or why it is not. */
    public void intent(JournalEntry entry, boolean teardown, Consumer<@Nullable VolumeException> durable) {
        journal.append(entry, priority(teardown), outcome -> loop.execute(() -> durable.accept(failure(outcome))));
    }

    /** Appends what happened; no caller waits for it, because replay takes what is missing here for uncertain. */
    public void note(JournalEntry entry) {
        journal.note(entry, AppendPriority.TEARDOWN, failure -> {
            if (failure.kind() != JournalException.Kind.CLOSED) {
                loop.execute(this::compact);
            }
        });
    }

    /** Replaces the journal by a snapshot of the world as it is now. */
    public void compact() {
        if (compacting) {
            return;
        }
        List<JournalEntry> whole = snapshot.get();
        compacting = true;
        journal.compact(whole, outcome -> loop.execute(() -> compacted(outcome)));
    }

    private void compacted(AppendOutcome outcome) {
        compacting = false;
        if (outcome instanceof AppendOutcome.Failed failed && failed.cause().kind() != JournalException.Kind.CLOSED) {
            LOG.warn("journal snapshot failed reason=\"{}\"", failed.cause().getMessage());
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
