package io.volume4j.core.journal;

import static io.volume4j.core.journal.JournalTexts.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    default void noSnapshotIsAskedForWhileOneIsUnderWay() {
        Journal journal = open(options()
                        .compactAfterBytes(10)
                        .compactAfterRatio(0)
                        .build())
                .journal();
        append(journal, "grown beyond ten bytes");
        journal.compact(List.of(), outcomes().expect("compaction"));
        executor().runAll();

        assertThat(outcomes().durable()).containsExactly("grown beyond ten bytes", "compaction");
        assertThat(asked()).isEmpty();
    }

    @Test
    default void aSnapshotCanBeTriedAgainAfterOneThatFailed() {
        Journal journal = openJournal();
        append(journal, "a");
        executor().runAll();
        failNextSnapshot();
        journal.compact(List.of(entry("lost")), outcomes().expect("first"));
        executor().runAll();
        journal.compact(List.of(entry("s1"), entry("s2")), outcomes().expect("second"));
        executor().runAll();
        append(journal, "b");
        closeWritten(journal);

        assertThat(outcomes().all()).containsEntry("first", "IO").containsEntry("second", "durable");
        Replayed replayed = open(options().build()).replayed();
        assertThat(JournalTexts.texts(replayed)).containsExactly("s1", "s2", "b");
        long first = replayed.records().get(0).sequence();
        assertThat(first).isGreaterThan(outcomes().sequence("a"));
        assertThat(replayed.records().stream().map(JournalRecord::sequence))
                .containsExactly(first, first + 1, first + 2);
        assertThat(outcomes().sequence("second")).isEqualTo(first + 1);
    }

    /** Without room. One that would give back next to nothing would run without end. */
    @ParameterizedTest(name = "{0} bytes behind a snapshot of 800: {1}")
    @CsvSource({"99, false", "100, false", "101, true"})
    default void withoutRoomASnapshotIsAskedForWhenItGivesBackMoreThanAnEighth(int behind, boolean expected) {
        int overhead = (int) recordOverhead();
        Journal journal = openJournal();
        journal.compact(List.of(entry("s".repeat(800 - overhead))), outcomes().expect("compaction"));
        append(journal, "x".repeat(behind - overhead));
        executor().runAll();
        setFull(true);

        append(journal, "n".repeat(9000));
        executor().runAll();

        assertThat(outcomes().failure("n".repeat(9000)).kind()).isEqualTo(JournalException.Kind.NO_SPACE);
        assertThat(asked()).isEqualTo(expected ? List.of(SnapshotReason.SIZE) : List.of());
    }
}
