package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.AppendPriority.TEARDOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.journal.JournalException.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every journal promises, whatever it is written on. */
abstract class JournalContract {
    static final JournalIdentity NODE_A = new JournalIdentity("node-a", "boot-1", "root-1");

    final ManualExecutor executor = new ManualExecutor();
    final Outcomes outcomes = new Outcomes();
    final List<SnapshotReason> asked = new ArrayList<>();

    /** A store on the test's one disk; a second call stands for the same disk with other options. */
    abstract JournalStore store(JournalOptions options);

    /** The process dies and the machine lives. */
    abstract void crash();

    abstract void setFull(boolean full);

    abstract void failNextSync();

    abstract void failNextSnapshot();

    JournalOptions.Builder options() {
        return JournalOptions.builder().closeTimeout(Duration.ZERO).reserveBytes(4096);
    }

    OpenedJournal open(JournalOptions options) {
        return store(options).open(NODE_A, asked::add);
    }

    Journal openJournal() {
        return open(options().build()).journal();
    }

    List<String> replay() {
        return texts(open(options().build()).replayed());
    }

    static JournalEntry entry(String text) {
        return new JournalEntry(7, text.getBytes(StandardCharsets.UTF_8));
    }

    static List<String> texts(Replayed replayed) {
        return replayed.records().stream()
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    void append(Journal journal, String... texts) {
        for (String text : texts) {
            journal.append(entry(text), NORMAL, outcomes.expect(text));
        }
    }

    void closeWritten(Journal journal) {
        executor.runAll();
        journal.close();
        executor.runAll();
    }

    @Test
    void aNewJournalIsEmptyAndSaysThatItWasCreated() {
        Replayed replayed = open(options().build()).replayed();

        assertThat(replayed.records()).isEmpty();
        assertThat(replayed.report()).isEqualTo(new ReplayReport(true, 0, List.of(), false, false, 1));
        assertThat(replayed.previous()).isEqualTo(NODE_A);
    }

    @Test
    void appendReturnsBeforeAnythingIsWritten() {
        Journal journal = openJournal();

        append(journal, "a", "b");

        assertThat(outcomes.all()).isEmpty();
        assertThat(executor.pending()).isEqualTo(1);
        assertThat(journal.status().queuedRecords()).isEqualTo(2);
        assertThat(journal.status().queuedBytes()).isEqualTo(2);
    }

    @Test
    void nothingIsReportedDurableBeforeTheSync() {
        Journal journal = openJournal();
        append(journal, "a");

        executor.runOne();
        assertThat(outcomes.all()).isEmpty();
        executor.runOne();
        assertThat(outcomes.durable()).containsExactly("a");
    }

    @Test
    void recordsAreReportedInOrderWithRisingSequences() {
        Journal journal = openJournal();

        append(journal, "a", "b", "c");
        executor.runAll();

        assertThat(outcomes.durable()).containsExactly("a", "b", "c");
        assertThat(outcomes.sequence("b")).isEqualTo(outcomes.sequence("a") + 1);
        assertThat(outcomes.sequence("c")).isEqualTo(outcomes.sequence("b") + 1);
        assertThat(journal.status().lastDurableSequence()).isEqualTo(outcomes.sequence("c"));
    }

    @Test
    void whatWasDurableIsReplayedInOrderWithTypesAndSequences() {
        Journal journal = openJournal();
        journal.append(new JournalEntry(1, new byte[0]), NORMAL, outcomes.expect("empty"));
        journal.append(new JournalEntry(127, new byte[] {0, -1}), TEARDOWN, outcomes.expect("bytes"));
        closeWritten(journal);

        List<JournalRecord> records = open(options().build()).replayed().records();

        assertThat(records).hasSize(2);
        assertThat(records.get(0).type()).isEqualTo(1);
        assertThat(records.get(0).payload()).isEmpty();
        assertThat(records.get(0).sequence()).isEqualTo(outcomes.sequence("empty"));
        assertThat(records.get(1).type()).isEqualTo(127);
        assertThat(records.get(1).payload()).containsExactly(0, -1);
        assertThat(records.get(1).sequence()).isEqualTo(outcomes.sequence("bytes"));
    }

    @Test
    void sequencesGoOnOverARestart() {
        Journal journal = openJournal();
        append(journal, "a");
        closeWritten(journal);

        Journal again = openJournal();
        append(again, "b");
        executor.runAll();

        assertThat(outcomes.sequence("b")).isGreaterThan(outcomes.sequence("a"));
    }

    @Test
    void aRestartWithoutAppendsChangesNothing() {
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
    void aKilledProcessLosesWhatWasQueuedAndIsNotToldAnything() {
        Journal journal = openJournal();
        append(journal, "durable");
        executor.runAll();
        append(journal, "queued");

        crash();
        executor.runAll();

        assertThat(outcomes.all()).containsOnlyKeys("durable");
        assertThat(replay()).containsExactly("durable");
    }

    @Test
    void aKilledProcessKeepsWhatWasWrittenThoughItWasNeverReported() {
        Journal journal = openJournal();
        append(journal, "written");
        executor.runOne();

        crash();
        executor.runAll();

        assertThat(outcomes.all()).isEmpty();
        assertThat(replay()).containsExactly("written");
    }

    @Test
    void closeFailsWhatIsStillQueuedExactlyOnce() {
        Journal journal = openJournal();
        append(journal, "durable");
        executor.runAll();
        append(journal, "a", "b");
        journal.compact(List.of(), outcomes.expect("compaction"));

        journal.close();
        journal.close();
        executor.runAll();

        assertThat(outcomes.all())
                .containsEntry("durable", "durable")
                .containsEntry("a", "CLOSED")
                .containsEntry("b", "CLOSED")
                .containsEntry("compaction", "CLOSED")
                .hasSize(4);
    }

    @Test
    void closeBetweenWriteAndSyncFailsTheGroupExactlyOnce() {
        Journal journal = openJournal();
        append(journal, "a");
        executor.runOne();

        journal.close();
        executor.runAll();

        assertThat(outcomes.all()).containsEntry("a", "CLOSED").hasSize(1);
    }

    @Test
    void aClosedJournalRefusesAtOnce() {
        Journal journal = openJournal();
        journal.close();

        append(journal, "late");
        journal.compact(List.of(), outcomes.expect("compaction"));

        assertThat(outcomes.all()).containsEntry("late", "CLOSED").containsEntry("compaction", "CLOSED");
        assertThat(outcomes.failure("late").getMessage())
                .contains(outcomes.failure("late").advice());
    }

    @Test
    void anExecutorThatRefusesWorkEndsTheJournalAndAnswersEveryone() {
        Journal journal = openJournal();
        append(journal, "a");
        executor.refuse();
        executor.runOne();

        append(journal, "b");

        assertThat(outcomes.all()).containsEntry("a", "CLOSED").containsEntry("b", "CLOSED");
    }

    @Test
    void theQueueIsBoundedInRecords() {
        Journal journal = open(options().maxQueuedRecords(2).build()).journal();

        append(journal, "a", "b", "c");
        assertThat(outcomes.all()).containsOnlyKeys("c").containsEntry("c", "QUEUE_FULL");
        executor.runAll();
        append(journal, "d");
        executor.runAll();

        assertThat(outcomes.durable()).containsExactly("a", "b", "d");
    }

    @Test
    void theQueueIsBoundedInBytes() {
        Journal journal = open(options().maxQueuedBytes(10).build()).journal();

        append(journal, "12345", "67890", "x");

        assertThat(outcomes.all()).containsOnlyKeys("x").containsEntry("x", "QUEUE_FULL");
        assertThat(outcomes.failure("x")).hasMessageContaining("2 records with 10 bytes");
        executor.runAll();
        append(journal, "abcdefghij");
        executor.runAll();
        assertThat(outcomes.durable()).containsExactly("12345", "67890", "abcdefghij");
    }

    @Test
    void aRecordBeyondTheBoundIsRefused() {
        Journal journal = open(options().maxRecordBytes(4).build()).journal();

        append(journal, "1234", "12345");
        executor.runAll();

        assertThat(outcomes.all()).containsEntry("1234", "durable").containsEntry("12345", "RECORD_TOO_LARGE");
    }

    @Test
    void theJournalsOwnRecordTypesAreNotForItsOwner() {
        for (int type : new int[] {0, -1, 128}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new JournalEntry(type, new byte[0]));
        }
    }

    @Test
    void aGroupIsBoundedInBytesAndALargerRecordMakesAGroupOfItsOwn() {
        Journal journal = open(options().maxGroupBytes(60).build()).journal();
        append(journal, "12", "34", "567890", "x");

        executor.runOne();
        executor.runOne();
        assertThat(outcomes.durable()).containsExactly("12", "34");
        executor.runOne();
        executor.runOne();
        assertThat(outcomes.durable()).containsExactly("12", "34", "567890");
        executor.runAll();
        assertThat(outcomes.durable()).containsExactly("12", "34", "567890", "x");
    }

    @Test
    void recordsAppendedByACallbackAreWrittenToo() {
        Journal journal = openJournal();
        journal.append(entry("first"), NORMAL, outcome -> append(journal, "second"));

        executor.runAll();

        assertThat(outcomes.durable()).containsExactly("second");
    }

    @Test
    void aCallbackThatThrowsHarmsNobodyElse() {
        Journal journal = openJournal();
        journal.append(entry("bad"), NORMAL, outcome -> {
            throw new IllegalStateException("a broken owner");
        });
        append(journal, "good");

        executor.runAll();

        assertThat(outcomes.durable()).containsExactly("good");
    }

    @Test
    void compactionReplacesEverythingBeforeItAndKeepsWhatFollows() {
        Journal journal = openJournal();
        append(journal, "a", "b");
        journal.compact(List.of(entry("ab")), outcomes.expect("compaction"));
        append(journal, "c");
        closeWritten(journal);

        assertThat(outcomes.durable()).containsExactly("a", "b", "compaction", "c");
        assertThat(outcomes.sequence("compaction")).isGreaterThan(outcomes.sequence("b"));
        assertThat(outcomes.sequence("c")).isEqualTo(outcomes.sequence("compaction") + 1);
        assertThat(replay()).containsExactly("ab", "c");
    }

    @Test
    void anEmptySnapshotLeavesAnEmptyJournalWhoseSequenceGoesOn() {
        Journal journal = openJournal();
        append(journal, "a");
        journal.compact(List.of(), outcomes.expect("compaction"));
        closeWritten(journal);

        OpenedJournal again = open(options().build());
        append(again.journal(), "b");
        executor.runAll();

        assertThat(again.replayed().records()).isEmpty();
        assertThat(again.replayed().report().damaged()).isFalse();
        assertThat(outcomes.sequence("b")).isGreaterThan(outcomes.sequence("a"));
    }

    @Test
    void theSnapshotIsIteratedOnTheWriterOnly() {
        Journal journal = openJournal();
        List<String> encoded = new ArrayList<>();
        Iterable<JournalEntry> lazy = () -> List.of("x", "y").stream()
                .map(text -> {
                    encoded.add(text);
                    return entry(text);
                })
                .iterator();

        journal.compact(lazy, outcomes.expect("compaction"));
        assertThat(encoded).isEmpty();
        executor.runAll();

        assertThat(encoded).containsExactly("x", "y");
    }

    @Test
    void aSecondCompactionIsRefusedWhileOneIsUnderWay() {
        Journal journal = openJournal();
        journal.compact(List.of(), outcomes.expect("first"));
        journal.compact(List.of(), outcomes.expect("second"));
        executor.runAll();
        journal.compact(List.of(), outcomes.expect("third"));
        executor.runAll();

        assertThat(outcomes.all())
                .containsEntry("first", "durable")
                .containsEntry("second", "COMPACTION_RUNNING")
                .containsEntry("third", "durable");
    }

    @Test
    void aSnapshotThatCannotBeIteratedLeavesTheOldFileInForce() {
        Journal journal = openJournal();
        append(journal, "a");
        journal.compact(
                () -> {
                    throw new IllegalStateException("a broken owner");
                },
                outcomes.expect("compaction"));
        append(journal, "b");
        closeWritten(journal);

        assertThat(outcomes.all())
                .containsEntry("compaction", "SNAPSHOT_FAILED")
                .containsEntry("b", "durable");
        assertThat(replay()).containsExactly("a", "b");
    }

    @Test
    void aFailedSnapshotLeavesTheOldFileInForce() {
        Journal journal = openJournal();
        append(journal, "a");
        executor.runAll();
        failNextSnapshot();
        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        append(journal, "b");
        closeWritten(journal);

        assertThat(outcomes.failed()).containsExactly("compaction");
        assertThat(outcomes.durable()).containsExactly("a", "b");
        assertThat(replay()).containsExactly("a", "b");
    }

    @Test
    void aSnapshotIsAskedForOnceWhenTheLogOutgrowsTheLastOne() {
        Journal journal = open(options()
                        .compactAfterBytes(1000)
                        .compactAfterRatio(2)
                        .build())
                .journal();
        append(journal, "x".repeat(900));
        executor.runAll();
        assertThat(asked).isEmpty();
        append(journal, "y".repeat(200));
        executor.runAll();
        append(journal, "z".repeat(200));
        executor.runAll();
        assertThat(asked).containsExactly(SnapshotReason.SIZE);

        journal.compact(List.of(entry("s".repeat(2000))), outcomes.expect("compaction"));
        executor.runAll();
        append(journal, "1".repeat(3900));
        executor.runAll();
        assertThat(asked).hasSize(1);
        append(journal, "2".repeat(200));
        executor.runAll();
        assertThat(asked).containsExactly(SnapshotReason.SIZE, SnapshotReason.SIZE);
    }

    @Test
    void afterAFailedSyncNothingIsDurableUntilASnapshotIsInForce() {
        Journal journal = openJournal();
        append(journal, "before");
        executor.runAll();
        failNextSync();

        append(journal, "lost");
        executor.runAll();
        append(journal, "refused");
        journal.append(entry("teardown"), TEARDOWN, outcomes.expect("teardown"));
        executor.runAll();

        assertThat(outcomes.all())
                .containsEntry("lost", "NOT_DURABLE")
                .containsEntry("refused", "NOT_DURABLE")
                .containsEntry("teardown", "NOT_DURABLE");
        assertThat(journal.status().awaitingSnapshot()).isTrue();
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED);

        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        append(journal, "after");
        closeWritten(journal);

        assertThat(outcomes.durable()).containsExactly("before", "compaction", "after");
        assertThat(journal.status().awaitingSnapshot()).isFalse();
        assertThat(replay()).containsExactly("snapshot", "after");
    }

    @Test
    void theSuccessorOfAProcessWhoseSyncFailedDoesNotTrustTheFileEither() {
        Journal journal = openJournal();
        append(journal, "durable");
        executor.runAll();
        failNextSync();
        append(journal, "lost");
        executor.runAll();
        crash();

        OpenedJournal second = open(options().build());
        assertThat(texts(second.replayed())).containsExactly("durable", "lost");
        assertThat(second.journal().status().awaitingSnapshot()).isTrue();
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED, SnapshotReason.WRITE_FAILED);
        append(second.journal(), "refused");
        second.journal().compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        closeWritten(second.journal());
        assertThat(outcomes.failure("refused").kind()).isEqualTo(Kind.NOT_DURABLE);

        OpenedJournal third = open(options().build());
        assertThat(texts(third.replayed())).containsExactly("snapshot");
        assertThat(third.journal().status().awaitingSnapshot()).isFalse();
    }

    @Test
    void aFailedSyncAsksAlthoughGrowthHasBeenAskedForAlready() {
        Journal journal = open(options()
                        .compactAfterBytes(10)
                        .compactAfterRatio(0)
                        .build())
                .journal();
        append(journal, "grown beyond ten bytes");
        executor.runAll();
        failNextSync();
        append(journal, "a");
        executor.runAll();
        append(journal, "b");
        executor.runAll();

        assertThat(asked).containsExactly(SnapshotReason.SIZE, SnapshotReason.WRITE_FAILED);
    }

    @Test
    void aSnapshotThatFailsAfterAFailedSyncLeavesTheJournalNotDurable() {
        Journal journal = openJournal();
        failNextSync();
        append(journal, "lost");
        executor.runAll();
        failNextSnapshot();
        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        append(journal, "refused");
        executor.runAll();

        assertThat(outcomes.durable()).isEmpty();
        assertThat(outcomes.all()).containsEntry("refused", "NOT_DURABLE");
        assertThat(journal.status().awaitingSnapshot()).isTrue();
    }

    @Test
    void aFullDiskRefusesNormalRecordsAndLetsTeardownIntoTheReserve() {
        Journal journal = openJournal();
        append(journal, "before");
        executor.runAll();
        setFull(true);

        for (int i = 0; i < 400; i++) {
            journal.append(entry("n".repeat(5000)), NORMAL, outcomes.expect("normal " + i));
        }
        journal.append(entry("t".repeat(4000)), TEARDOWN, outcomes.expect("teardown"));
        executor.runAll();

        assertThat(outcomes.failure("normal 399").kind()).isEqualTo(Kind.NO_SPACE);
        assertThat(outcomes.failure("normal 399")).hasMessageContaining("free space");
        assertThat(outcomes.durable()).startsWith("before").endsWith("teardown");
        assertThat(journal.status().outOfSpace()).isTrue();
        assertThat(journal.status().awaitingSnapshot()).isFalse();
        assertThat(asked).containsExactly(SnapshotReason.SIZE);
    }

    @Test
    void withoutRoomACompactionIsNotAskedForIfItWouldGainNextToNothing() {
        Journal journal = openJournal();
        journal.compact(List.of(entry("s".repeat(4000))), outcomes.expect("compaction"));
        append(journal, "small");
        executor.runAll();
        setFull(true);

        append(journal, "x".repeat(9000));
        executor.runAll();

        assertThat(outcomes.failure("x".repeat(9000)).kind()).isEqualTo(Kind.NO_SPACE);
        assertThat(asked).isEmpty();
    }

    @Test
    void theReserveEndsToo() {
        Journal journal = openJournal();
        setFull(true);
        for (int i = 0; i < 5; i++) {
            journal.append(entry("t".repeat(1500)), TEARDOWN, outcomes.expect("t" + i));
        }
        executor.runAll();

        assertThat(outcomes.durable()).contains("t0", "t1").doesNotContain("t4");
        assertThat(outcomes.failure("t4").kind()).isEqualTo(Kind.NO_SPACE);
        assertThat(journal.status().awaitingSnapshot()).isFalse();
    }

    @Test
    void appendsGoOnWhenThereIsRoomAgain() {
        Journal journal = openJournal();
        setFull(true);
        append(journal, "x".repeat(5000));
        executor.runAll();
        setFull(false);
        append(journal, "y".repeat(5000));
        closeWritten(journal);

        assertThat(outcomes.durable()).containsExactly("y".repeat(5000));
        assertThat(journal.status().outOfSpace()).isFalse();
        assertThat(replay()).containsExactly("y".repeat(5000));
    }

    @Test
    void aBootIsNoticedOnceAndOlderRecordsAreTold() {
        Journal journal = openJournal();
        append(journal, "old");
        closeWritten(journal);
        JournalIdentity rebooted = new JournalIdentity("node-a", "boot-2", "root-1");

        OpenedJournal second = store(options().build()).open(rebooted, asked::add);
        assertThat(second.replayed().report().bootIdChanged()).isTrue();
        assertThat(second.replayed().previous()).isEqualTo(NODE_A);
        append(second.journal(), "new");
        closeWritten(second.journal());

        Replayed third = store(options().build()).open(rebooted, asked::add).replayed();
        assertThat(third.report().bootIdChanged()).isFalse();
        assertThat(third.previous()).isEqualTo(rebooted);
        assertThat(texts(third)).containsExactly("old", "new");
        assertThat(third.records().stream().map(third::writtenInThisBoot)).containsExactly(false, true);
    }

    @Test
    void aSnapshotIsStampedWithTheCurrentBoot() {
        Journal journal = openJournal();
        append(journal, "old");
        closeWritten(journal);
        JournalIdentity rebooted = new JournalIdentity("node-a", "boot-2", "root-1");
        Journal second = store(options().build()).open(rebooted, asked::add).journal();
        second.compact(List.of(entry("confirmed")), outcomes.expect("compaction"));
        closeWritten(second);

        Replayed third = store(options().build()).open(rebooted, asked::add).replayed();

        assertThat(third.records().stream().map(third::writtenInThisBoot)).containsExactly(true);
    }

    @Test
    void theJournalOfAnotherNodeOrRootIsRefusedAndLeftAsItIs() {
        Journal journal = openJournal();
        append(journal, "a");
        closeWritten(journal);

        assertThatThrownBy(() ->
                        store(options().build()).open(new JournalIdentity("node-b", "boot-1", "root-1"), asked::add))
                .isInstanceOfSatisfying(JournalException.class, e -> {
                    assertThat(e.kind()).isEqualTo(Kind.WRONG_NODE);
                    assertThat(e).hasMessageContaining("node-a").hasMessageContaining("node-b");
                });
        assertThatThrownBy(() ->
                        store(options().build()).open(new JournalIdentity("node-a", "boot-1", "root-2"), asked::add))
                .isInstanceOfSatisfying(JournalException.class, e -> {
                    assertThat(e.kind()).isEqualTo(Kind.WRONG_ROOT);
                    assertThat(e).hasMessageContaining("root-1").hasMessageContaining("root-2");
                });
        assertThat(replay()).containsExactly("a");
    }

    @Test
    void aSecondOwnerIsRefusedUntilTheFirstHasClosed() {
        Journal journal = openJournal();

        assertThatThrownBy(this::openJournal)
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOCKED));

        closeWritten(journal);
        closeWritten(openJournal());
    }

    @Test
    void unsyncedModeReportsWhatWasWrittenWithoutSyncing() {
        Journal journal = open(options().durability(Durability.WRITTEN).build()).journal();
        failNextSync();

        append(journal, "a");
        executor.runAll();

        assertThat(outcomes.durable()).containsExactly("a");
    }

    @Test
    void anIdleJournalHasNoWorkForItsExecutor() {
        Journal journal = openJournal();
        append(journal, "a");
        executor.runAll();

        assertThat(executor.pending()).isZero();
    }
}
