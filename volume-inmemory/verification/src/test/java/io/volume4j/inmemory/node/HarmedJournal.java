package io.volume4j.inmemory.node;

import io.volume4j.core.journal.AppendPriority;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.Journal;
import io.volume4j.core.journal.JournalCallback;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalListener;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.journal.JournalStatus;
import io.volume4j.core.journal.OpenedJournal;
import io.volume4j.core.journal.Replayed;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A journal that is lost, or read otherwise than it was written. */
final class HarmedJournal {
    private final Executor workers;
    private InMemoryJournalStore store;
    private UnaryOperator<Replayed> harm = replayed -> replayed;
    private Consumer<JournalEntry> observer = entry -> {};

    HarmedJournal(Executor workers) {
        this.workers = workers;
        this.store = new InMemoryJournalStore(JournalOptions.defaults(), workers);
    }

    /** What is read the next time is this instead of what is in it. */
    void harmNext(UnaryOperator<Replayed> how) {
        harm = how;
    }

    OpenedJournal open(JournalIdentity identity, JournalListener listener) {
        OpenedJournal opened = store.open(identity, listener);
        UnaryOperator<Replayed> once = harm;
        harm = replayed -> replayed;
        return new OpenedJournal(new Observed(opened.journal(), observer), once.apply(opened.replayed()));
    }

    /** Sees each entry that is appended from the next opening on. */
    void observe(Consumer<JournalEntry> next) {
        observer = next;
    }

    private record Observed(Journal journal, Consumer<JournalEntry> observer) implements Journal {
        @Override
        public void append(JournalEntry entry, AppendPriority priority, JournalCallback callback) {
            observer.accept(entry);
            journal.append(entry, priority, callback);
        }

        @Override
        public void compact(Iterable<JournalEntry> snapshot, JournalCallback callback) {
            journal.compact(snapshot, callback);
        }

        @Override
        public JournalStatus status() {
            return journal.status();
        }

        @Override
        public void close() {
            journal.close();
        }
    }

    /** The file is gone. */
    void delete() {
        store = new InMemoryJournalStore(JournalOptions.defaults(), workers);
    }

    void crash() {
        store.crash();
    }
}
