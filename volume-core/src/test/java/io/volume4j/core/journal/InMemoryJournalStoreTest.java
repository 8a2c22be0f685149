package io.volume4j.core.journal;

import static io.volume4j.core.journal.JournalTexts.entry;
import static io.volume4j.core.journal.JournalTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InMemoryJournalStoreTest extends JournalContract {
    private @Nullable InMemoryJournalStore disk;

    @Override
    public JournalStore store(JournalOptions options) {
        if (disk == null) {
            disk = new InMemoryJournalStore(options, executor);
        }
        return disk;
    }

    private InMemoryJournalStore disk() {
        store(options().build());
        return Objects.requireNonNull(disk);
    }

    @Override
    public void crash() {
        disk().crash();
    }

    @Override
    public long recordOverhead() {
        return MemoryDisk.RECORD_OVERHEAD;
    }

    @Override
    public void setFull(boolean full) {
        disk().setFull(full);
    }

    @Override
    public void failNextSync() {
        disk().failSyncs(1);
    }

    @Override
    public void failNextSnapshot() {
        disk().failSnapshots(1);
    }

    @ParameterizedTest(name = "{0} of two unsynced records kept, torn={1}")
    @CsvSource({
        "0, false, synced, 0",
        "0, true,  synced, 14",
        "1, true,  synced;a, 14",
        "1, false, synced;a, 0",
        "2, true,  synced;a;b, 0",
        "9, false, synced;a;b, 0",
    })
    void powerLossKeepsASyncedPrefixAndCutsATornTail(int kept, boolean torn, String survivors, long cut) {
        Journal journal = openJournal();
        append(journal, "synced");
        executor.runAll();
        append(journal, "a", "b");
        executor.runOne();
        assertThat(disk().unsyncedRecords()).isEqualTo(2);

        disk().powerLoss(kept, torn);
        executor.runAll();

        Replayed replayed = open(options().build()).replayed();
        assertThat(texts(replayed)).isEqualTo(List.of(survivors.split(";")));
        assertThat(replayed.report().cutBytes()).isEqualTo(cut);
        assertThat(replayed.report().damaged()).isFalse();
        assertThat(outcomes.durable()).containsExactly("synced");
    }

    @Test
    void powerLossBetweenTheHalvesOfACompactionLeavesTheOldFile() {
        Journal journal = openJournal();
        append(journal, "a");
        executor.runAll();
        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        executor.runOne();

        disk().powerLoss(0, false);
        executor.runAll();

        assertThat(replay()).containsExactly("a");
    }

    @Test
    void tellsWhatItsFileHolds() {
        assertThat(disk().bytesBehindSnapshot()).isZero();
        assertThat(disk().unsyncedRecords()).isZero();
        assertThat(disk().holds("a")).isFalse();
        Journal journal = openJournal();
        append(journal, "password");
        executor.runAll();
        long one = disk().bytesBehindSnapshot();
        append(journal, "password");
        executor.runAll();
        assertThat(one).isPositive();
        assertThat(disk().bytesBehindSnapshot()).isEqualTo(2 * one);
        assertThat(disk().holds("asswor")).isTrue();
        assertThat(disk().holds("other")).isFalse();

        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        executor.runAll();

        assertThat(disk().bytesBehindSnapshot()).isZero();
        assertThat(disk().holds("asswor")).isFalse();
        assertThat(disk().holds("snapshot")).isTrue();
    }

    @Test
    void theSameSeedLosesTheSameRecords() {
        List<List<String>> runs = List.of(runWithSeed(42), runWithSeed(42));

        assertThat(runs.get(0)).isEqualTo(runs.get(1));
    }

    private List<String> runWithSeed(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        ManualExecutor steps = new ManualExecutor();
        InMemoryJournalStore store = new InMemoryJournalStore(options().build(), steps);
        for (int round = 0; round < 20; round++) {
            Journal journal = store.open(NODE_A, asked::add).journal();
            for (int i = 0; i < 5; i++) {
                append(journal, round + "/" + i);
            }
            steps.runOne();
            if (random.nextBoolean()) {
                steps.runOne();
            }
            store.powerLoss(random);
            steps.runAll();
        }
        return texts(store.open(NODE_A, asked::add).replayed());
    }

    @Test
    void whatIsStillRunningAfterACrashCannotTouchTheDisk() {
        Journal dying = openJournal();
        append(dying, "a");
        executor.runOne();
        disk().crash();
        Journal next = openJournal();
        append(next, "b");

        executor.runAll();
        append(dying, "ghost");
        executor.runAll();

        assertThat(outcomes.durable()).containsExactly("b");
        assertThat(outcomes.failure("ghost").kind()).isEqualTo(JournalException.Kind.CLOSED);
        closeWritten(next);
        assertThat(replay()).containsExactly("a", "b");
    }

    @ParameterizedTest(name = "a record of {0} bytes, a reserve of 4096: {1}")
    @CsvSource({"4095, durable", "4096, durable", "4097, NO_SPACE"})
    void teardownMayUseTheReserveToItsLastByte(int bytes, String outcome) {
        Journal journal = openJournal();
        disk().setFull(true);
        String text = "t".repeat(bytes - (int) recordOverhead());
        journal.append(entry(text), AppendPriority.TEARDOWN, outcomes.expect("teardown"));
        executor.runAll();

        assertThat(outcomes.all()).containsEntry("teardown", outcome);
    }

    @ParameterizedTest(name = "{0} of two unsynced records kept")
    @CsvSource({"0, 2", "1, 3", "2, 4"})
    void behindWhatAPowerLossLeftNumbersAndBytesGoOn(int kept, long next) {
        Journal journal = openJournal();
        append(journal, "0");
        executor.runAll();
        append(journal, "1", "2");
        executor.runOne();

        disk().powerLoss(kept, false);
        executor.runAll();
        assertThat(disk().bytesBehindSnapshot()).isEqualTo((1 + kept) * (recordOverhead() + 1));
        append(openJournal(), "next");
        executor.runAll();

        assertThat(outcomes.sequence("next")).isEqualTo(next);
    }

    @ParameterizedTest(name = "behind an empty snapshot: {0}")
    @CsvSource({"false, 1", "true, 2"})
    void aFileWithoutARecordGivesTheNumbersThatItBeganWith(boolean compacted, long next) {
        Journal journal = openJournal();
        if (compacted) {
            append(journal, "a");
            journal.compact(List.of(), outcomes.expect("compaction"));
            executor.runAll();
        }
        append(journal, "lost");
        executor.runOne();

        disk().powerLoss(0, false);
        executor.runAll();
        append(openJournal(), "next");
        executor.runAll();

        assertThat(outcomes.sequence("next")).isEqualTo(next);
    }

    /** The process dies while the disk is at work, and its successor has written before the disk answers. */
    @Test
    void aSyncOfADeadProcessMakesNothingDurable() {
        ManualExecutor steps = new ManualExecutor();
        List<InMemoryJournalStore> stores = new ArrayList<>();
        Instrumentation death = new Instrumentation() {
            private boolean dead;

            @Override
            public Scope journalSync() {
                if (!dead) {
                    dead = true;
                    stores.get(0).crash();
                    append(stores.get(0).open(NODE_A, asked::add).journal(), "of the successor");
                    steps.runOne();
                }
                return Scope.none();
            }
        };
        stores.add(new InMemoryJournalStore(options().instrumentation(death).build(), steps));
        append(stores.get(0).open(NODE_A, asked::add).journal(), "of the dead");
        steps.runOne();
        steps.runOne();

        assertThat(stores.get(0).unsyncedRecords()).isEqualTo(1);
        steps.runAll();
        assertThat(outcomes.all()).containsOnlyKeys("of the successor");
        assertThat(outcomes.durable()).containsExactly("of the successor");
    }
}
