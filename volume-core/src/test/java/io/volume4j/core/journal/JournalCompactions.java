package io.volume4j.core.journal;

import static io.volume4j.core.journal.JournalTexts.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A snapshot replaces what came before it, or nothing changes. */
interface JournalCompactions extends JournalBench {
    @Test
    default void compactionReplacesEverythingBeforeItAndKeepsWhatFollows() {
        Journal journal = openJournal();
        append(journal, "a", "b");
        journal.compact(List.of(entry("ab")), outcomes().expect("compaction"));
        append(journal, "c");
        closeWritten(journal);

        assertThat(outcomes().durable()).containsExactly("a", "b", "compaction", "c");
        assertThat(outcomes().sequence("compaction")).isGreaterThan(outcomes().sequence("b"));
        assertThat(outcomes().sequence("c")).isEqualTo(outcomes().sequence("compaction") + 1);
        assertThat(replay()).containsExactly("ab", "c");
    }

    @Test
    default void aSnapshotIsAskedForBehindTheBoundAndNotAtIt() {
        long each = recordOverhead() + 1;
        Journal journal = open(options()
                        .compactAfterBytes(2 * each)
                        .compactAfterRatio(0)
                        .build())
                .journal();

        append(journal, "a", "b");
        executor().runAll();
        assertThat(asked()).as("at the bound").isEmpty();

        append(journal, "c");
        executor().runAll();
        assertThat(asked()).containsExactly(SnapshotReason.SIZE);
    }

    @Test
    default void aSnapshotIsAskedForWhenTheLogIsSoManyTimesAsLargeAsTheLastOne() {
        Journal journal = open(options()
                        .compactAfterBytes(1)
                        .compactAfterRatio(2)
                        .build())
                .journal();
        journal.compact(List.of(entry("s")), outcomes().expect("compaction"));
        append(journal, "a", "b");
        executor().runAll();
        assertThat(asked()).as("twice the snapshot").isEmpty();

        append(journal, "c");
        executor().runAll();
        assertThat(asked()).containsExactly(SnapshotReason.SIZE);
    }

    @Test
    default void anEmptySnapshotLeavesAnEmptyJournalWhoseSequenceGoesOn() {
        Journal journal = openJournal();
        append(journal, "a");
        journal.compact(List.of(), outcomes().expect("compaction"));
        closeWritten(journal);

        OpenedJournal again = open(options().build());
        append(again.journal(), "b");
        executor().runAll();

        assertThat(again.replayed().records()).isEmpty();
        assertThat(again.replayed().report().damaged()).isFalse();
        assertThat(outcomes().sequence("b")).isGreaterThan(outcomes().sequence("a"));
    }

    @Test
    default void theSnapshotIsIteratedOnTheWriterOnly() {
        Journal journal = openJournal();
        List<String> encoded = new ArrayList<>();
        Iterable<JournalEntry> lazy = () -> List.of("x", "y").stream()
                .map(text -> {
                    encoded.add(text);
                    return entry(text);
                })
                .iterator();

        journal.compact(lazy, outcomes().expect("compaction"));
        assertThat(encoded).isEmpty();
        executor().runAll();

        assertThat(encoded).containsExactly("x", "y");
    }

    @Test
    default void aSecondCompactionIsRefusedWhileOneIsUnderWay() {
        Journal journal = openJournal();
        journal.compact(List.of(), outcomes().expect("first"));
        journal.compact(List.of(), outcomes().expect("second"));
        executor().runAll();
        journal.compact(List.of(), outcomes().expect("third"));
        executor().runAll();

        assertThat(outcomes().all())
                .containsEntry("first", "durable")
                .containsEntry("second", "COMPACTION_RUNNING")
                .containsEntry("third", "durable");
    }

    @Test
    default void aSnapshotThatCannotBeIteratedLeavesTheOldFileInForce() {
        Journal journal = openJournal();
        append(journal, "a");
        journal.compact(
                () -> {
                    throw new IllegalStateException("a broken owner");
                },
                outcomes().expect("compaction"));
        append(journal, "b");
        closeWritten(journal);

        assertThat(outcomes().all())
                .containsEntry("compaction", "SNAPSHOT_FAILED")
                .containsEntry("b", "durable");
        assertThat(replay()).containsExactly("a", "b");
    }

    @Test
    default void aFailedSnapshotLeavesTheOldFileInForce() {
        Journal journal = openJournal();
        append(journal, "a");
        executor().runAll();
        failNextSnapshot();
        journal.compact(List.of(entry("snapshot")), outcomes().expect("compaction"));
        append(journal, "b");
        closeWritten(journal);

        assertThat(outcomes().failed()).containsExactly("compaction");
        assertThat(outcomes().durable()).containsExactly("a", "b");
        assertThat(replay()).containsExactly("a", "b");
    }

    @Test
    default void aSnapshotIsAskedForOnceWhenTheLogOutgrowsTheLastOne() {
        Journal journal = open(options()
                        .compactAfterBytes(1000)
                        .compactAfterRatio(2)
                        .build())
                .journal();
        append(journal, "x".repeat(900));
        executor().runAll();
        assertThat(asked()).isEmpty();
        append(journal, "y".repeat(200));
        executor().runAll();
        append(journal, "z".repeat(200));
        executor().runAll();
        assertThat(asked()).containsExactly(SnapshotReason.SIZE);

        journal.compact(List.of(entry("s".repeat(2000))), outcomes().expect("compaction"));
        executor().runAll();
        append(journal, "1".repeat(3900));
        executor().runAll();
        assertThat(asked()).hasSize(1);
        append(journal, "2".repeat(200));
        executor().runAll();
        assertThat(asked()).containsExactly(SnapshotReason.SIZE, SnapshotReason.SIZE);
    }
}
