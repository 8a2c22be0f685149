package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.JournalTexts.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.testing.ScarceThreads;
import io.volume4j.core.testing.ScarceThreads.Fate;
import io.volume4j.core.testing.ScarceThreads.Says;
import io.volume4j.core.testing.ScarceThreads.Shortage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The writer visits the disk step by step, each in a task of its own, and looks once more for commands when it has reported.
 * A simulated world counts these tasks, so their number is fixed: with another, each seed stands for another world.
 */
class JournalVisitsTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");

    private final FaultyDirectory directory = new FaultyDirectory(new MemoryDirectory());
    private final ManualExecutor executor = new ManualExecutor();
    private final Outcomes outcomes = new Outcomes();
    private final List<SnapshotReason> asked = new ArrayList<>();
    private Executor threads = executor;
    private Journal journal = open(Durability.SYNCED);

    private Journal open(Durability durability) {
        JournalOptions options = JournalOptions.builder()
                .durability(durability)
                .reserveBytes(1024)
                .maxJournalBytes(64 << 10)
                .build();
        return new FileJournalStore(directory, options, threads, new SplittableRandom(1), "test")
                .open(NODE, asked::add)
                .journal();
    }

    /** The next record needs no growth of the file. */
    private void makeRoom() {
        journal.append(entry("first"), NORMAL, outcomes.expect("first"));
        executor.runAll();
    }

    private void append(int bytes) {
        journal.append(entry("x".repeat(bytes)), NORMAL, outcomes.expect("command"));
    }

    private void compact() {
        journal.compact(List.of(entry("snapshot")), outcomes.expect("command"));
    }

    private record Row(String what, Consumer<JournalVisitsTest> command, String outcome, int visits) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row("a record: write, sync, look", test -> test.append(1), "durable", 3),
                new Row(
                        "a record whose write fails: write, look",
                        test -> {
                            test.makeRoom();
                            test.directory.failNextWrite = true;
                            test.append(1);
                        },
                        "NOT_DURABLE",
                        2),
                new Row(
                        "a record whose sync fails: write, sync, look",
                        test -> {
                            test.directory.failNextSync = true;
                            test.append(1);
                        },
                        "NOT_DURABLE",
                        3),
                new Row(
                        "a record at which the journal shows a defect: write, look",
                        test -> {
                            test.makeRoom();
                            test.directory.defective = true;
                            test.append(1);
                        },
                        "NOT_DURABLE",
                        2),
                new Row("a record without room: write, look", test -> test.append(64 << 10), "NO_SPACE", 2),
                new Row("a snapshot: prepare, install, look", JournalVisitsTest::compact, "durable", 3),
                new Row(
                        "a snapshot that cannot be written: prepare, look",
                        test -> {
                            test.directory.failNextSnapshot = true;
                            test.compact();
                        },
                        "IO",
                        2),
                new Row(
                        "a snapshot that cannot be put in force: prepare, install, look",
                        test -> {
                            test.directory.failNextRename = true;
                            test.compact();
                        },
                        "NOT_DURABLE",
                        3));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachCommandHasItsVisits(Row row) {
        row.command().accept(this);

        assertThat(visits()).isEqualTo(row.visits());
        assertThat(outcomes.all()).containsEntry("command", row.outcome());
    }

    @Test
    void aNoteIsWrittenAndNotSynced() {
        journal.note(entry("note"), NORMAL, failed -> asked.add(SnapshotReason.DAMAGE));

        assertThat(visits()).as("write, look").isEqualTo(2);
        assertThat(asked).isEmpty();
    }

    @Test
    void aRecordThatWaitsForASnapshotIsRefusedInTheFirstVisit() {
        directory.failNextSync = true;
        append(1);
        executor.runAll();

        journal.append(entry("late"), NORMAL, outcomes.expect("late"));

        assertThat(visits()).as("write, look").isEqualTo(2);
        assertThat(outcomes.failure("late").kind()).isEqualTo(JournalException.Kind.NOT_DURABLE);
    }

    /** The step stays, so that a world has the same order with either durability. */
    @Test
    void aRecordThatIsNotSyncedHasTheSameVisits() {
        executor.runAll();
        journal.close();
        journal = open(Durability.WRITTEN);
        directory.failNextSync = true;

        append(1);

        assertThat(visits()).isEqualTo(3);
        assertThat(outcomes.durable()).containsExactly("command");
    }

    @Test
    void aFailedWriteIsAFailureOfTheWholeGroup() {
        makeRoom();
        directory.failNextWrite = true;
        append(1);
        journal.append(entry("second"), NORMAL, outcomes.expect("second"));
        executor.runAll();

        assertThat(outcomes.all()).containsEntry("command", "NOT_DURABLE").containsEntry("second", "NOT_DURABLE");
        assertThat(journal.status().awaitingSnapshot()).isTrue();
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED);
    }

    /** As after a failed write: what is in the file is not known. */
    @Test
    void aDefectMakesTheFileSuspect() {
        makeRoom();
        directory.defective = true;
        append(1);
        executor.runAll();

        assertThat(journal.status().awaitingSnapshot()).isTrue();
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED);
    }

    @Test
    void aStepThatAnExecutorKeptThoughItRefusedItDoesNothing() {
        journal.close();
        threads = new ScarceThreads(executor, new Shortage(Says.NO_NATIVE_THREAD, Fate.KEPT, 1, 1));
        journal = open(Durability.SYNCED);
        append(1);
        assertThat(outcomes.all()).containsEntry("command", "NO_THREAD");
        journal.append(entry("next"), NORMAL, outcomes.expect("next"));
        int writes = directory.writes;

        executor.runOne();
        assertThat(directory.writes).as("by the step that was refused").isEqualTo(writes);
        executor.runOne();
        assertThat(directory.writes).as("by the step after it").isGreaterThan(writes);
        executor.runAll();
        assertThat(outcomes.durable()).containsExactly("next");
    }

    private int visits() {
        int visits = 0;
        while (executor.pending() > 0) {
            assertThat(executor.pending()).as("one at a time").isEqualTo(1);
            executor.runOne();
            visits++;
        }
        return visits;
    }
}
