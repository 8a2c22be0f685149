package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.AppendPriority.TEARDOWN;
import static io.volume4j.core.journal.JournalTexts.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.volume4j.core.journal.JournalException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queue, group, record and disk are bounded, and teardown goes on where others are refused. */
interface JournalBounds extends JournalBench {
    @Test
    default void theQueueIsBoundedInRecords() {
        Journal journal = open(options().maxQueuedRecords(2).build()).journal();

        append(journal, "a", "b", "c");
        assertThat(outcomes().all()).containsOnlyKeys("c").containsEntry("c", "QUEUE_FULL");
        executor().runAll();
        append(journal, "d");
        executor().runAll();

        assertThat(outcomes().durable()).containsExactly("a", "b", "d");
    }

    @Test
    default void theQueueIsBoundedInBytes() {
        Journal journal = open(options().maxQueuedBytes(10).build()).journal();

        append(journal, "12345", "67890", "x");

        assertThat(outcomes().all()).containsOnlyKeys("x").containsEntry("x", "QUEUE_FULL");
        assertThat(outcomes().failure("x")).hasMessageContaining("2 records with 10 bytes");
        executor().runAll();
        append(journal, "abcdefghij");
        executor().runAll();
        assertThat(outcomes().durable()).containsExactly("12345", "67890", "abcdefghij");
    }

    @Test
    default void aRecordBeyondTheBoundIsRefused() {
        Journal journal = open(options().maxRecordBytes(4).build()).journal();

        append(journal, "1234", "12345");
        executor().runAll();

        assertThat(outcomes().all()).containsEntry("1234", "durable").containsEntry("12345", "RECORD_TOO_LARGE");
    }

    @Test
    default void theJournalsOwnRecordTypesAreNotForItsOwner() {
        for (int type : new int[] {0, -1, 128}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new JournalEntry(type, new byte[0]));
        }
    }

    @Test
    default void aGroupIsBoundedInBytesAndALargerRecordMakesAGroupOfItsOwn() {
        Journal journal = open(options().maxGroupBytes(60).build()).journal();
        append(journal, "12", "34", "567890", "x");

        executor().runOne();
        executor().runOne();
        assertThat(outcomes().durable()).containsExactly("12", "34");
        executor().runOne();
        executor().runOne();
        assertThat(outcomes().durable()).containsExactly("12", "34", "567890");
        executor().runAll();
        assertThat(outcomes().durable()).containsExactly("12", "34", "567890", "x");
    }

    @Test
    default void aFullDiskRefusesNormalRecordsAndLetsTeardownIntoTheReserve() {
        Journal journal = openJournal();
        append(journal, "before");
        executor().runAll();
        setFull(true);

        for (int i = 0; i < 400; i++) {
            journal.append(entry("n".repeat(5000)), NORMAL, outcomes().expect("normal " + i));
        }
        journal.append(entry("t".repeat(4000)), TEARDOWN, outcomes().expect("teardown"));
        executor().runAll();

        assertThat(outcomes().failure("normal 399").kind()).isEqualTo(Kind.NO_SPACE);
        assertThat(outcomes().failure("normal 399")).hasMessageContaining("free space");
        assertThat(outcomes().durable()).startsWith("before").endsWith("teardown");
        assertThat(journal.status().outOfSpace()).isTrue();
        assertThat(journal.status().awaitingSnapshot()).isFalse();
        assertThat(asked()).containsExactly(SnapshotReason.SIZE);
    }

    @Test
    default void withoutRoomACompactionIsNotAskedForIfItWouldGainNextToNothing() {
        Journal journal = openJournal();
        journal.compact(List.of(entry("s".repeat(4000))), outcomes().expect("compaction"));
        append(journal, "small");
        executor().runAll();
        setFull(true);

        append(journal, "x".repeat(9000));
        executor().runAll();

        assertThat(outcomes().failure("x".repeat(9000)).kind()).isEqualTo(Kind.NO_SPACE);
        assertThat(asked()).isEmpty();
    }

    @Test
    default void theReserveEndsToo() {
        Journal journal = openJournal();
        setFull(true);
        for (int i = 0; i < 5; i++) {
            journal.append(entry("t".repeat(1500)), TEARDOWN, outcomes().expect("t" + i));
        }
        executor().runAll();

        assertThat(outcomes().durable()).contains("t0", "t1").doesNotContain("t4");
        assertThat(outcomes().failure("t4").kind()).isEqualTo(Kind.NO_SPACE);
        assertThat(journal.status().awaitingSnapshot()).isFalse();
    }

    @Test
    default void appendsGoOnWhenThereIsRoomAgain() {
        Journal journal = openJournal();
        setFull(true);
        append(journal, "x".repeat(5000));
        executor().runAll();
        setFull(false);
        append(journal, "y".repeat(5000));
        closeWritten(journal);

        assertThat(outcomes().durable()).containsExactly("y".repeat(5000));
        assertThat(journal.status().outOfSpace()).isFalse();
        assertThat(replay()).containsExactly("y".repeat(5000));
    }
}
