package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.journal.JournalException.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read from a file that was cut short, altered or half written. Exhaustive over one small file. */
class JournalDamageTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");
    private static final int START = JournalFormat.RECORDS_START;
    private static final List<String> TEXTS = List.of("first", "", "third and longest", "x");

    private final ManualExecutor executor = new ManualExecutor();
    private final Outcomes outcomes = new Outcomes();
    private final List<SnapshotReason> asked = new ArrayList<>();
    private final JournalOptions options = JournalOptions.builder()
            .closeTimeout(Duration.ZERO)
            .reserveBytes(0)
            .maxGroupBytes(4096)
            .maxJournalBytes(1 << 20)
            .build();

    /** A file with nothing but header and the four records, and one in which the first three are its snapshot. */
    private byte[] plain;

    private byte[] compacted;
    private final List<Integer> ends = new ArrayList<>();

    @BeforeEach
    void writeFiles() {
        int end = START;
        for (String text : TEXTS) {
            end += JournalFormat.OVERHEAD + text.length();
            ends.add(end);
        }
        MemoryDirectory directory = new MemoryDirectory();
        Journal journal = open(directory).journal();
        TEXTS.forEach(text -> append(journal, text));
        executor.runAll();
        plain = Arrays.copyOf(directory.content("journal"), end);

        MemoryDirectory other = new MemoryDirectory();
        Journal second = open(other).journal();
        second.compact(TEXTS.subList(0, 3).stream().map(JournalTexts::entry).toList(), outcomes.expect("compaction"));
        append(second, "x");
        executor.runAll();
        compacted = Arrays.copyOf(other.content("journal"), end);
        asked.clear();
    }

    private OpenedJournal open(MemoryDirectory directory) {
        return new FileJournalStore(directory, options, executor, new SplittableRandom(7), "test")
                .open(NODE, asked::add);
    }

    private OpenedJournal open(byte[] file) {
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", file);
        return open(directory);
    }

    private void append(Journal journal, String text) {
        journal.append(JournalTexts.entry(text), AppendPriority.NORMAL, outcomes.expect(text));
    }

    private static List<String> texts(OpenedJournal opened) {
        return JournalTexts.texts(opened.replayed());
    }

    private int intactBefore(int offset) {
        return (int) ends.stream().filter(end -> end <= offset).count();
    }

    @Test
    void aFileCutAtAnyByteBehindItsHeaderKeepsEveryWholeRecordAndCutsTheRest() {
        for (int size = START; size <= plain.length; size++) {
            byte[] file = Arrays.copyOf(plain, size);
            int whole = intactBefore(size);
            int tail = whole == 0 ? START : ends.get(whole - 1);

            OpenedJournal opened = open(file);

            assertThat(texts(opened)).as("cut at %d", size).isEqualTo(TEXTS.subList(0, whole));
            assertThat(opened.replayed().report().damaged()).isFalse();
            assertThat(opened.replayed().report().cutBytes()).isEqualTo(contentBehind(file, tail));
        }
        assertThat(asked).isEmpty();
    }

    private static int contentBehind(byte[] file, int tail) {
        int end = file.length;
        while (end > tail && file[end - 1] == 0) {
            end--;
        }
        return end - tail;
    }

    @Test
    void aCutFileIsWholeAgainOnceItWasOpenedAndAppendedTo() {
        for (int size = START; size <= plain.length; size++) {
            MemoryDirectory directory = new MemoryDirectory();
            directory.put("journal", Arrays.copyOf(plain, size));
            List<String> expected = new ArrayList<>(TEXTS.subList(0, intactBefore(size)));
            expected.add("new");

            OpenedJournal opened = open(directory);
            append(opened.journal(), "new");
            executor.runAll();
            opened.journal().close();
            executor.runAll();

            OpenedJournal again = open(directory);
            assertThat(texts(again)).as("cut at %d", size).isEqualTo(expected);
            assertThat(again.replayed().report().cutBytes()).isZero();
            assertThat(again.replayed().report().damaged()).isFalse();
        }
    }

    @Test
    void aFileCutWithinItsHeaderIsRefusedOrIsDamagedButNeverEmptyAndSound() {
        for (int size = 0; size < START; size++) {
            byte[] file = Arrays.copyOf(plain, size);
            if (size < JournalFormat.HEADER_BYTES) {
                assertThatThrownBy(() -> open(file))
                        .as("cut at %d", size)
                        .isInstanceOfSatisfying(
                                JournalException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.UNREADABLE));
            } else {
                ReplayReport report = open(file).replayed().report();
                assertThat(report.damaged()).as("cut at %d", size).isTrue();
                assertThat(report.headerRepaired()).isTrue();
            }
        }
    }

    @Test
    void aFileCutWithinItsSnapshotIsDamagedBecauseTheSnapshotWasWholeOnce() {
        for (int size = START; size <= compacted.length; size++) {
            int whole = intactBefore(size);

            Replayed replayed = open(Arrays.copyOf(compacted, size)).replayed();

            assertThat(JournalTexts.texts(replayed)).isEqualTo(TEXTS.subList(0, whole));
            assertThat(replayed.report().damaged()).as("cut at %d", size).isEqualTo(whole < 3);
            if (whole < 3) {
                DamagedRange range = replayed.report().damage().get(0);
                assertThat(range.firstMissing()).isEqualTo(1 + whole);
                assertThat(range.missing()).isEqualTo(3 - whole);
            }
        }
    }

    @Test
    void anyFlippedBitInAHeaderCopyIsRepairedFromTheOther() {
        for (int at = 0; at < START; at++) {
            byte[] file = flipped(plain, at, at % 8);

            OpenedJournal opened = open(file);

            assertThat(texts(opened)).as("flipped at %d", at).isEqualTo(TEXTS);
            assertThat(opened.replayed().report().headerRepaired()).isTrue();
            assertThat(opened.replayed().report().damaged()).isFalse();
        }
        assertThat(asked).hasSize(START).containsOnly(SnapshotReason.DAMAGE);
    }

    @Test
    void anyFlippedBitInARecordCostsThatRecordOnly() {
        for (int at = START; at < plain.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                int hit = intactBefore(at);
                List<String> expected = new ArrayList<>(TEXTS);
                expected.remove(hit);
                boolean last = hit == TEXTS.size() - 1;

                Replayed replayed = open(flipped(plain, at, bit)).replayed();

                assertThat(JournalTexts.texts(replayed))
                        .as("bit %d of %d", bit, at)
                        .isEqualTo(expected);
                int begin = hit == 0 ? START : ends.get(hit - 1);
                int length = ends.get(hit) - begin;
                assertThat(replayed.report().damage())
                        .isEqualTo(last ? List.of() : List.of(new DamagedRange(begin, length, hit + 1, 1)));
                assertThat(replayed.report().cutBytes()).isEqualTo(last ? length : 0);
            }
        }
    }

    @Test
    void damageIsReportedAtEveryStartUntilACompactionAndNewRecordsFollowTheLastReadable() {
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", flipped(plain, ends.get(0) + 3, 0));

        OpenedJournal first = open(directory);
        assertThat(asked).containsExactly(SnapshotReason.DAMAGE);
        append(first.journal(), "new");
        closeWritten(first);
        OpenedJournal second = open(directory);
        assertThat(texts(second)).containsExactly("first", "third and longest", "x", "new");
        assertThat(second.replayed().report().damaged()).isTrue();
        second.journal().compact(List.of(JournalTexts.entry("truth")), outcomes.expect("compaction"));
        closeWritten(second);

        OpenedJournal third = open(directory);
        assertThat(texts(third)).containsExactly("truth");
        assertThat(third.replayed().report().damaged()).isFalse();
    }

    private void closeWritten(OpenedJournal opened) {
        executor.runAll();
        opened.journal().close();
        executor.runAll();
    }

    @Test
    void anyStretchOfZerosIsDamageIfARecordFollows() {
        for (int from = START; from < ends.get(2); from++) {
            byte[] file = plain.clone();
            Arrays.fill(file, from, ends.get(2), (byte) 0);

            Replayed replayed = open(file).replayed();

            int whole = intactBefore(from);
            assertThat(replayed.report().damage())
                    .as("zeros from %d", from)
                    .singleElement()
                    .satisfies(range -> {
                        assertThat(range.firstMissing()).isEqualTo(whole + 1);
                        assertThat(range.missing()).isEqualTo(3 - whole);
                    });
            assertThat(replayed.records()).hasSize(whole + 1);
        }
    }

    @Test
    void aBlockThatCannotBeReadIsDamageAndNeverTheEnd() {
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", plain);
        directory.makeUnreadable("journal", 2);

        Replayed replayed = open(directory).replayed();

        assertThat(replayed.records()).isEmpty();
        assertThat(replayed.report().damaged()).isTrue();
    }

    @Test
    void anUnreadableBlockIsErasedSoThatItsRecordsCannotReturnBehindNewerOnes() {
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", plain);
        directory.makeUnreadable("journal", 2);
        OpenedJournal first = open(directory);
        append(first.journal(), "new");
        closeWritten(first);
        directory.makeUnreadable("journal", -2);

        OpenedJournal second = open(directory);

        assertThat(texts(second)).containsExactly("new");
    }

    @Test
    void unreadableRecordsAtTheEndAreReportedAtEveryStartUntilACompaction() {
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", plain);
        directory.makeUnreadable("journal", 2);
        closeWritten(open(directory));
        directory.makeUnreadable("journal", -2);

        assertDamagedUntilACompaction(directory);
    }

    @Test
    void lostRecordsOfASnapshotAreReportedAtEveryStartUntilACompactionHoweverManyFollow() {
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", Arrays.copyOf(compacted, ends.get(1)));
        closeWritten(open(directory));

        assertDamagedUntilACompaction(directory);
    }

    private void assertDamagedUntilACompaction(MemoryDirectory directory) {
        List<String> known = texts(open(directory));
        directory.kill();
        List<String> added = new ArrayList<>(known);
        for (String text : List.of("new", "newer", "newest")) {
            OpenedJournal opened = open(directory);
            assertThat(opened.replayed().report().damage())
                    .as("before %s", text)
                    .singleElement()
                    .satisfies(range -> assertThat(range.firstMissing()).isEqualTo(1 + known.size()));
            assertThat(texts(opened)).isEqualTo(added);
            append(opened.journal(), text);
            closeWritten(opened);
            added.add(text);
        }

        OpenedJournal last = open(directory);
        assertThat(last.replayed().report().damaged()).isTrue();
        assertThat(texts(last)).isEqualTo(added);
        last.journal().compact(List.of(JournalTexts.entry("truth")), outcomes.expect("compaction"));
        closeWritten(last);
        assertThat(open(directory).replayed().report().damaged()).isFalse();
    }

    @Test
    void aPayloadThatImitatesARecordIsNotTakenForOneAfterDamage() {
        byte[] imitation = new byte[64];
        JournalFormat.putRecord(ByteBuffer.wrap(imitation), 0, 3, (byte) 9, new byte[] {1});
        MemoryDirectory directory = new MemoryDirectory();
        Journal journal = open(directory).journal();
        append(journal, "a");
        journal.append(new JournalEntry(1, imitation), AppendPriority.NORMAL, outcomes.expect("imitation"));
        append(journal, "b");
        executor.runAll();
        byte[] file = directory.content("journal");

        Replayed replayed =
                open(flipped(file, START + JournalFormat.OVERHEAD + 1 + 4, 0)).replayed();

        assertThat(JournalTexts.texts(replayed)).containsExactly("a", "b");
    }

    @Test
    void aRecordOfAnotherFileIsNotTakenForOneOfThis() {
        byte[] mixed = plain.clone();
        MemoryDirectory other = new MemoryDirectory();
        Journal journal = new FileJournalStore(other, options, executor, new SplittableRandom(8), "test")
                .open(NODE, asked::add)
                .journal();
        TEXTS.forEach(text -> append(journal, text));
        executor.runAll();
        System.arraycopy(other.content("journal"), START, mixed, START, ends.get(0) - START);

        Replayed replayed = open(mixed).replayed();

        assertThat(JournalTexts.texts(replayed)).isEqualTo(TEXTS.subList(1, 4));
        assertThat(replayed.report().damaged()).isTrue();
    }

    @Test
    void missingRecordsBetweenTwoThatTouchAreDamage() {
        byte[] file = new byte[plain.length - (ends.get(1) - ends.get(0))];
        System.arraycopy(plain, 0, file, 0, ends.get(0));
        System.arraycopy(plain, ends.get(1), file, ends.get(0), plain.length - ends.get(1));

        Replayed replayed = open(file).replayed();

        assertThat(JournalTexts.texts(replayed)).containsExactly("first", "third and longest", "x");
        assertThat(replayed.report().damage()).containsExactly(new DamagedRange(ends.get(0), 0, 2, 1));
    }

    @Test
    void aRecordThatRepeatsAnEarlierNumberIsNotReplayedTwice() {
        byte[] file = Arrays.copyOf(plain, plain.length + ends.get(0) - START);
        System.arraycopy(plain, START, file, plain.length, ends.get(0) - START);

        Replayed replayed = open(file).replayed();

        assertThat(JournalTexts.texts(replayed)).isEqualTo(TEXTS);
        assertThat(replayed.report().cutBytes()).isEqualTo(ends.get(0) - START);
    }

    @Test
    void aNewerFormatIsRefusedInOneLineThatSaysWhatToDo() {
        byte[] file = plain.clone();
        for (int copy = 0; copy < 2; copy++) {
            ByteBuffer header = ByteBuffer.wrap(file, copy * JournalFormat.HEADER_BYTES, JournalFormat.HEADER_BYTES)
                    .slice();
            header.putShort(8, (short) 2);
            CRC32C crc = new CRC32C();
            crc.update(header.duplicate().limit(JournalFormat.HEADER_BYTES - 4).position(0));
            header.putInt(JournalFormat.HEADER_BYTES - 4, (int) crc.getValue());
        }

        assertThatThrownBy(() -> open(file)).isInstanceOfSatisfying(JournalException.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.NEWER_FORMAT);
            assertThat(e.getMessage())
                    .contains("memory:journal", "version 2", "up to 1", e.advice())
                    .doesNotContain("\n");
        });
    }

    @Test
    void bothHeaderCopiesDestroyedIsRefusedAndLeftForAHuman() {
        byte[] file = flipped(flipped(plain, 20, 0), JournalFormat.HEADER_BYTES + 20, 0);
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", file);

        assertThatThrownBy(() -> open(directory))
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREADABLE));
        assertThat(directory.content("journal")).isEqualTo(file);
    }

    private static byte[] flipped(byte[] file, int at, int bit) {
        byte[] copy = file.clone();
        copy[at] ^= (byte) (1 << bit);
        return copy;
    }
}
