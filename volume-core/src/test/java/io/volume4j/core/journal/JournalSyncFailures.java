package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.TEARDOWN;
import static io.volume4j.core.journal.JournalTexts.entry;
import static io.volume4j.core.journal.JournalTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.JournalException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** After a failed sync nothing is durable until a snapshot is in a new file. */
interface JournalSyncFailures extends JournalBench {
    @Test
    default void afterAFailedSyncNothingIsDurableUntilASnapshotIsInForce() {
        Journal journal = openJournal();
        append(journal, "before");
        executor().runAll();
        failNextSync();

        append(journal, "lost");
        executor().runAll();
        append(journal, "refused");
        journal.append(entry("teardown"), TEARDOWN, outcomes().expect("teardown"));
        executor().runAll();

        assertThat(outcomes().all())
                .containsEntry("lost", "NOT_DURABLE")
                .containsEntry("refused", "NOT_DURABLE")
                .containsEntry("teardown", "NOT_DURABLE");
        assertThat(journal.status().awaitingSnapshot()).isTrue();
        assertThat(asked()).containsExactly(SnapshotReason.WRITE_FAILED);

        journal.compact(List.of(entry("snapshot")), outcomes().expect("compaction"));
        append(journal, "after");
        closeWritten(journal);

        assertThat(outcomes().durable()).containsExactly("before", "compaction", "after");
        assertThat(journal.status().awaitingSnapshot()).isFalse();
        assertThat(replay()).containsExactly("snapshot", "after");
    }

    @Test
    default void theSuccessorOfAProcessWhoseSyncFailedDoesNotTrustTheFileEither() {
        Journal journal = openJournal();
        append(journal, "durable");
        executor().runAll();
        failNextSync();
        append(journal, "lost");
        executor().runAll();
        crash();

        OpenedJournal second = open(options().build());
        assertThat(texts(second.replayed())).containsExactly("durable", "lost");
        assertThat(second.journal().status().awaitingSnapshot()).isTrue();
        assertThat(asked()).containsExactly(SnapshotReason.WRITE_FAILED, SnapshotReason.WRITE_FAILED);
        append(second.journal(), "refused");
        second.journal().compact(List.of(entry("snapshot")), outcomes().expect("compaction"));
        closeWritten(second.journal());
        assertThat(outcomes().failure("refused").kind()).isEqualTo(Kind.NOT_DURABLE);

        OpenedJournal third = open(options().build());
        assertThat(texts(third.replayed())).containsExactly("snapshot");
        assertThat(third.journal().status().awaitingSnapshot()).isFalse();
    }

    @Test
    default void aFailedSyncAsksAlthoughGrowthHasBeenAskedForAlready() {
        Journal journal = open(options()
                        .compactAfterBytes(10)
                        .compactAfterRatio(0)
                        .build())
                .journal();
        append(journal, "grown beyond ten bytes");
        executor().runAll();
        failNextSync();
        append(journal, "a");
        executor().runAll();
        append(journal, "b");
        executor().runAll();

        assertThat(asked()).containsExactly(SnapshotReason.SIZE, SnapshotReason.WRITE_FAILED);
    }

    @Test
    default void aSnapshotThatFailsAfterAFailedSyncLeavesTheJournalNotDurable() {
        Journal journal = openJournal();
        failNextSync();
        append(journal, "lost");
        executor().runAll();
        failNextSnapshot();
        journal.compact(List.of(entry("snapshot")), outcomes().expect("compaction"));
        append(journal, "refused");
        executor().runAll();

        assertThat(outcomes().durable()).isEmpty();
        assertThat(outcomes().all()).containsEntry("refused", "NOT_DURABLE");
        assertThat(journal.status().awaitingSnapshot()).isTrue();
    }
}
