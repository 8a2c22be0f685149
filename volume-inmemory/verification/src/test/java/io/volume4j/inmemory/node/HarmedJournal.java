package io.volume4j.inmemory.node;

import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalListener;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.journal.OpenedJournal;
import io.volume4j.core.journal.Replayed;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/** A journal that is lost, or read otherwise than it was written. */
final class HarmedJournal {
    private final Executor workers;
    private InMemoryJournalStore store;
    private UnaryOperator<Replayed> harm = replayed -> replayed;

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
        return new OpenedJournal(opened.journal(), once.apply(opened.replayed()));
    }

    /** The file is gone. */
    void delete() {
        store = new InMemoryJournalStore(JournalOptions.defaults(), workers);
    }

    void crash() {
        store.crash();
    }
}
