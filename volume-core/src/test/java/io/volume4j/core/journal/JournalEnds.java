package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A journal that is closed or killed answers each caller once at most. */
interface JournalEnds extends JournalBench {
    @Test
    default void aKilledProcessLosesWhatWasQueuedAndIsNotToldAnything() {
        Journal journal = openJournal();
        append(journal, "durable");
        executor().runAll();
        append(journal, "queued");

        crash();
        executor().runAll();

        assertThat(outcomes().all()).containsOnlyKeys("durable");
        assertThat(replay()).containsExactly("durable");
    }

    @Test
    default void aKilledProcessKeepsWhatWasWrittenThoughItWasNeverReported() {
        Journal journal = openJournal();
        append(journal, "written");
        executor().runOne();

        crash();
        executor().runAll();

        assertThat(outcomes().all()).isEmpty();
        assertThat(replay()).containsExactly("written");
    }

    @Test
    default void closeFailsWhatIsStillQueuedExactlyOnce() {
        Journal journal = openJournal();
        append(journal, "durable");
        executor().runAll();
        append(journal, "a", "b");
        journal.compact(List.of(), outcomes().expect("compaction"));

        journal.close();
        journal.close();
        executor().runAll();

        assertThat(outcomes().all())
                .containsEntry("durable", "durable")
                .containsEntry("a", "CLOSED")
                .containsEntry("b", "CLOSED")
                .containsEntry("compaction", "CLOSED")
                .hasSize(4);
    }

    @Test
    default void closeBetweenWriteAndSyncFailsTheGroupExactlyOnce() {
        Journal journal = openJournal();
        append(journal, "a");
        executor().runOne();

        journal.close();
        executor().runAll();

        assertThat(outcomes().all()).containsEntry("a", "CLOSED").hasSize(1);
    }

    @Test
    default void aClosedJournalRefusesAtOnce() {
        Journal journal = openJournal();
        journal.close();

        append(journal, "late");
        journal.compact(List.of(), outcomes().expect("compaction"));

        assertThat(outcomes().all()).containsEntry("late", "CLOSED").containsEntry("compaction", "CLOSED");
        assertThat(outcomes().failure("late").getMessage())
                .contains(outcomes().failure("late").advice());
    }

    @Test
    default void anExecutorThatRefusesWorkLosesNothingThatWasBegunAndRefusesTheRest() {
        Journal journal = openJournal();
        append(journal, "a");
        executor().refuse();
        executor().runOne();

        append(journal, "b");

        assertThat(outcomes().all()).containsEntry("a", "durable").containsEntry("b", "NO_THREAD");
    }
}
