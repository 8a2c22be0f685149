package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.AppendPriority.TEARDOWN;
import static io.volume4j.core.journal.JournalTexts.entry;
import static io.volume4j.core.journal.JournalTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is appended is durable when it is said to be, in its order, and read again. */
interface JournalAppends extends JournalBench {
    @Test
    default void aNewJournalIsEmptyAndSaysThatItWasCreated() {
        Replayed replayed = open(options().build()).replayed();

        assertThat(replayed.records()).isEmpty();
        assertThat(replayed.report()).isEqualTo(new ReplayReport(true, 0, List.of(), false, false, 1));
        assertThat(replayed.previous()).isEqualTo(NODE_A);
    }

    @Test
    default void appendReturnsBeforeAnythingIsWritten() {
        Journal journal = openJournal();

        append(journal, "a", "b");

        assertThat(outcomes().all()).isEmpty();
        assertThat(executor().pending()).isEqualTo(1);
        assertThat(journal.status().queuedRecords()).isEqualTo(2);
        assertThat(journal.status().queuedBytes()).isEqualTo(2);
    }

    @Test
    default void nothingIsReportedDurableBeforeTheSync() {
        Journal journal = openJournal();
        append(journal, "a");

        executor().runOne();
        assertThat(outcomes().all()).isEmpty();
        executor().runOne();
        assertThat(outcomes().durable()).containsExactly("a");
    }

    @Test
    default void recordsAreReportedInOrderWithRisingSequences() {
        Journal journal = openJournal();

        append(journal, "a", "b", "c");
        executor().runAll();

        assertThat(outcomes().durable()).containsExactly("a", "b", "c");
        assertThat(outcomes().sequence("b")).isEqualTo(outcomes().sequence("a") + 1);
        assertThat(outcomes().sequence("c")).isEqualTo(outcomes().sequence("b") + 1);
        assertThat(journal.status().lastDurableSequence()).isEqualTo(outcomes().sequence("c"));
    }

    @Test
    default void whatWasDurableIsReplayedInOrderWithTypesAndSequences() {
        Journal journal = openJournal();
        journal.append(new JournalEntry(1, new byte[0]), NORMAL, outcomes().expect("empty"));
        journal.append(
                new JournalEntry(127, new byte[] {0, -1}), TEARDOWN, outcomes().expect("bytes"));
        closeWritten(journal);

        List<JournalRecord> records = open(options().build()).replayed().records();

        assertThat(records).hasSize(2);
        assertThat(records.get(0).type()).isEqualTo(1);
        assertThat(records.get(0).payload()).isEmpty();
        assertThat(records.get(0).sequence()).isEqualTo(outcomes().sequence("empty"));
        assertThat(records.get(1).type()).isEqualTo(127);
        assertThat(records.get(1).payload()).containsExactly(0, -1);
        assertThat(records.get(1).sequence()).isEqualTo(outcomes().sequence("bytes"));
    }

    @Test
    default void sequencesGoOnOverARestart() {
        Journal journal = openJournal();
        append(journal, "a");
        closeWritten(journal);

        Journal again = openJournal();
        append(again, "b");
        executor().runAll();

        assertThat(outcomes().sequence("b")).isGreaterThan(outcomes().sequence("a"));
    }

    @Test
    default void aRestartWithoutAppendsChangesNothing() {
        Journal journal = openJournal();
        append(journal, "a", "b");
        closeWritten(journal);

        for (int restart = 0; restart < 3; restart++) {
            OpenedJournal opened = open(options().build());
            assertThat(texts(opened.replayed())).containsExactly("a", "b");
            assertThat(opened.replayed().report().created()).isFalse();
            assertThat(opened.replayed().report().damaged()).isFalse();
            assertThat(opened.replayed().report().cutBytes()).isZero();
            closeWritten(opened.journal());
        }
    }

    @Test
    default void recordsAppendedByACallbackAreWrittenToo() {
        Journal journal = openJournal();
        journal.append(entry("first"), NORMAL, outcome -> append(journal, "second"));

        executor().runAll();

        assertThat(outcomes().durable()).containsExactly("second");
    }

    @Test
    default void aCallbackThatThrowsHarmsNoOtherCaller() {
        Journal journal = openJournal();
        journal.append(entry("bad"), NORMAL, outcome -> {
            throw new IllegalStateException("a broken owner");
        });
        append(journal, "good");

        executor().runAll();

        assertThat(outcomes().durable()).containsExactly("good");
    }

    @Test
    default void unsyncedModeReportsWhatWasWrittenWithoutSyncing() {
        Journal journal = open(options().durability(Durability.WRITTEN).build()).journal();
        failNextSync();

        append(journal, "a");
        executor().runAll();

        assertThat(outcomes().durable()).containsExactly("a");
    }

    @Test
    default void anIdleJournalHasNoWorkForItsExecutor() {
        Journal journal = openJournal();
        append(journal, "a");
        executor().runAll();

        assertThat(executor().pending()).isZero();
    }

    @Test
    default void theStatusCountsTheBytesOfEachRecord() {
        Journal journal = openJournal();
        append(journal, "a");
        executor().runAll();
        long before = journal.status().journalBytes();
        append(journal, "four", "");
        executor().runAll();

        assertThat(before).isPositive();
        assertThat(journal.status().journalBytes() - before).isEqualTo(2 * recordOverhead() + 4);
    }

    @Test
    default void aJournalThatIsOpenedAgainKnowsWhatIsDurable() {
        Journal journal = openJournal();
        assertThat(journal.status().lastDurableSequence()).isZero();
        append(journal, "a", "b");
        closeWritten(journal);

        Journal second = openJournal();
        assertThat(second.status().lastDurableSequence()).isEqualTo(outcomes().sequence("b"));
        append(second, "c");
        executor().runAll();
        assertThat(outcomes().sequence("c")).isEqualTo(outcomes().sequence("b") + 1);
    }
}
