package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.MemoryFileSystem.Bug;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stops the process or the machine at every effect of a run that appends, syncs and compacts, and compares what is replayed
 * with what was promised. All classes of the journal are the real ones, down to {@link DiskDirectory}; only the machine's files
 * are in memory.
 */
class JournalCrashTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");
    private static final JournalOptions OPTIONS = JournalOptions.builder()
            .reserveBytes(1024)
            .maxGroupBytes(200)
            .maxJournalBytes(1 << 20)
            .build();

    /**
     * An owner that keeps a map in the journal: each record sets one key. Its snapshot holds what it has appended, whether
     * that is durable yet or not, as a loop's does.
     */
    private static final class Owner {
        private final MemoryDirectory directory;
        private final JournalDirectory files;
        private final ManualExecutor executor = new ManualExecutor();
        private final Map<String, String> state = new TreeMap<>();
        /** The newest value that was reported durable, by key. */
        private final Map<String, Integer> promised = new TreeMap<>();

        /** Keys of the notes that were not refused, by their values. */
        private final Map<Integer, String> noted = new TreeMap<>();

        private int version;
        private boolean snapshotWanted;

        Owner(MemoryDirectory directory) {
            this(directory, Bug.NONE);
        }

        Owner(MemoryDirectory directory, Bug bug) {
            this.directory = directory;
            files = MemoryFileSystem.journalOn(directory, bug);
        }

        OpenedJournal open(long seed) {
            return new FileJournalStore(files, OPTIONS, executor, new SplittableRandom(seed), "test")
                    .open(NODE, reason -> snapshotWanted = true);
        }

        void run(long seed) {
            try {
                run(open(seed).journal(), seed);
            } catch (JournalException e) {
                // The fault fell into the making of the journal: nothing has been promised.
                assertThat(promised).isEmpty();
            }
        }

        private void run(Journal journal, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 12; round++) {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    put(journal, "k" + random.nextInt(5), random.nextInt(120), random.nextInt(3) == 0);
                }
                if (round % 5 == 4) {
                    compact(journal);
                }
                for (int steps = random.nextInt(5); steps > 0 && executor.pending() > 0; steps--) {
                    executor.runOne();
                }
                if (snapshotWanted) {
                    compact(journal);
                }
            }
            executor.runAll();
        }

        /** @param note no caller waits for it, but it is durable when a later entry is for which a caller waited */
        private void put(Journal journal, String key, int padding, boolean note) {
            int value = ++version;
            String record = key + "=" + value + "=" + "p".repeat(padding);
            state.put(key, record);
            if (note) {
                noted.put(value, key);
                journal.note(JournalTexts.entry(record), AppendPriority.NORMAL, failed -> noted.remove(value));
                return;
            }
            Map<Integer, String> before = new TreeMap<>(noted);
            journal.append(JournalTexts.entry(record), AppendPriority.NORMAL, outcome -> {
                if (outcome.isDurable() && !directory.dead()) {
                    promised.merge(key, value, Math::max);
                    before.keySet().retainAll(noted.keySet());
                    before.forEach((earlier, itsKey) -> promised.merge(itsKey, earlier, Math::max));
                }
            });
        }

        private void compact(Journal journal) {
            List<JournalEntry> snapshot = new ArrayList<>();
            Map<String, Integer> covered = new TreeMap<>();
            state.forEach((key, record) -> {
                snapshot.add(JournalTexts.entry(record));
                covered.put(key, Integer.valueOf(record.split("=")[1]));
            });
            journal.compact(snapshot, outcome -> {
                if (outcome.isDurable() && !directory.dead()) {
                    snapshotWanted = false;
                    covered.forEach((key, value) -> promised.merge(key, value, Math::max));
                }
            });
        }

        /** Every promise is kept: each key has the promised value or a newer one that was under way. */
        void verify(Replayed replayed, boolean damageAllowed, String when) {
            Map<String, Integer> found = new TreeMap<>();
            for (JournalRecord record : replayed.records()) {
                String[] parts = new String(record.payload(), StandardCharsets.UTF_8).split("=", -1);
                found.merge(parts[0], Integer.valueOf(parts[1]), Math::max);
            }
            promised.forEach((key, value) -> assertThat(found.getOrDefault(key, 0))
                    .as("%s: %s", when, key)
                    .isGreaterThanOrEqualTo(value));
            assertThat(new TreeSet<>(replayed.records().stream()
                            .map(JournalRecord::sequence)
                            .toList()))
                    .as(when)
                    .hasSize(replayed.records().size());
            if (!damageAllowed) {
                assertThat(replayed.report().damage()).as(when).isEmpty();
            }
        }
    }

    private static int effectsOf(long seed) {
        MemoryDirectory directory = new MemoryDirectory();
        new Owner(directory).run(seed);
        return directory.effects();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aProcessKilledAtAnyEffectKeepsEveryPromise(long seed) {
        int effects = effectsOf(seed);
        assertThat(effects).isGreaterThan(40);
        for (int at = 0; at < effects; at++) {
            MemoryDirectory directory = new MemoryDirectory();
            Owner owner = new Owner(directory);
            directory.dieAt(at);
            owner.run(seed);
            directory.kill();

            owner.verify(owner.open(99).replayed(), false, "killed at " + at);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aMachineThatStopsAtAnyEffectKeepsEveryPromise(long seed) {
        int effects = effectsOf(seed);
        for (int at = 0; at < effects; at++) {
            for (int disk = 0; disk < 5; disk++) {
                MemoryDirectory directory = new MemoryDirectory();
                Owner owner = new Owner(directory);
                directory.dieAt(at);
                owner.run(seed);
                directory.powerLoss(new SplittableRandom(disk));

                String when = "power lost at " + at + " with disk " + disk;
                Replayed first = owner.open(99).replayed();
                owner.verify(first, true, when);
                directory.kill();
                Replayed second = owner.open(100).replayed();
                owner.verify(second, true, when + ", opened again");
                assertThat(JournalTexts.texts(second)).as(when).isEqualTo(JournalTexts.texts(first));
            }
        }
    }

    /** Or else the tests above would say nothing of what reaches the disk. */
    @ParameterizedTest
    @EnumSource(names = {"FORCES_NO_FILE", "FORCES_NO_DIRECTORY"})
    void aMachineThatStopsTellsWhatIsNotForced(Bug bug) {
        List<AssertionError> broken = new ArrayList<>();
        int effects = effectsOf(1);
        for (int at = 0; at < effects; at++) {
            MemoryDirectory directory = new MemoryDirectory();
            Owner owner = new Owner(directory, bug);
            directory.dieAt(at);
            owner.run(1);
            directory.powerLoss(new SplittableRandom(at));
            try {
                owner.verify(owner.open(99).replayed(), true, "power lost at " + at);
            } catch (AssertionError promiseBroken) {
                broken.add(promiseBroken);
            } catch (JournalException unreadable) {
                broken.add(new AssertionError("power lost at " + at, unreadable));
            }
        }
        assertThat(broken).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatTheSuccessorOfAKilledProcessHasReadSurvivesAPowerLoss(long seed) {
        int effects = effectsOf(seed);
        for (int at = 0; at < effects; at++) {
            MemoryDirectory directory = new MemoryDirectory();
            Owner owner = new Owner(directory);
            directory.dieAt(at);
            owner.run(seed);
            directory.kill();
            List<String> read = JournalTexts.texts(owner.open(99).replayed());
            directory.powerLoss(new SplittableRandom(at));

            assertThat(JournalTexts.texts(owner.open(100).replayed()))
                    .as("killed at %d", at)
                    .isEqualTo(read);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyEffectThatFailsKeepsEveryPromiseOverAPowerLoss(long seed) {
        int effects = effectsOf(seed);
        for (int at = 0; at < effects; at++) {
            MemoryDirectory directory = new MemoryDirectory();
            Owner owner = new Owner(directory);
            directory.failAt(at);
            owner.run(seed);
            directory.powerLoss(new SplittableRandom(at));

            owner.verify(owner.open(99).replayed(), true, "effect " + at + " failed");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyEffectThatFailsIsSurvivedAndLeavesNoDamageBehind(long seed) {
        int effects = effectsOf(seed);
        for (int at = 0; at < effects; at++) {
            MemoryDirectory directory = new MemoryDirectory();
            Owner owner = new Owner(directory);
            directory.failAt(at);
            owner.run(seed);
            directory.kill();

            owner.verify(owner.open(99).replayed(), false, "effect " + at + " failed");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100})
    void shortWritesAreCompleted(int most) {
        MemoryDirectory directory = new MemoryDirectory();
        directory.limitWrites(most);
        Owner owner = new Owner(directory);
        owner.run(5);
        directory.powerLoss(new SplittableRandom(1));

        assertThat(owner.promised).isNotEmpty();
        owner.verify(owner.open(99).replayed(), false, "short writes");
    }

    @Test
    void aDiskThatFillsUpAtAnyByteKeepsEveryPromise() {
        for (int space = 0; space < 40_000; space += 101) {
            MemoryDirectory directory = new MemoryDirectory();
            directory.limitSpace(space);
            Owner owner = new Owner(directory);
            owner.run(6);
            directory.powerLoss(new SplittableRandom(space));
            directory.limitSpace(Long.MAX_VALUE);

            owner.verify(owner.open(99).replayed(), false, "full at " + space);
        }
    }
}
