package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.JournalTexts.entry;
import static io.volume4j.core.journal.JournalTexts.texts;

import java.time.Duration;
import java.util.List;

/** A store that is held to what a journal promises, and the ways in which its disk and its process fail. */
interface JournalBench {
    JournalIdentity NODE_A = new JournalIdentity("node-a", "boot-1", "root-1");

    ManualExecutor executor();

    Outcomes outcomes();

    /** Why snapshots were asked for so far. */
    List<SnapshotReason> asked();

    /** A store on the test's one disk; a second call stands for the same disk with other options. */
    JournalStore store(JournalOptions options);

    /** The process dies and the machine lives. */
    void crash();

    void setFull(boolean full);

    /** Bytes that a record takes beside its payload. */
    long recordOverhead();

    void failNextSync();

    void failNextSnapshot();

    default JournalOptions.Builder options() {
        return JournalOptions.builder().closeTimeout(Duration.ZERO).reserveBytes(4096);
    }

    default OpenedJournal open(JournalOptions options) {
        return store(options).open(NODE_A, asked()::add);
    }

    default Journal openJournal() {
        return open(options().build()).journal();
    }

    default List<String> replay() {
        return texts(open(options().build()).replayed());
    }

    default void append(Journal journal, String... texts) {
        for (String text : texts) {
            journal.append(entry(text), NORMAL, outcomes().expect(text));
        }
    }

    default void closeWritten(Journal journal) {
        executor().runAll();
        journal.close();
        executor().runAll();
    }
}
