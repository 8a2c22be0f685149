package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.JournalTexts.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.volume4j.core.journal.RecordScanner.Scan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The room of the file in force, what a failed write does to it, and the files that a log keeps open. */
class FileLogTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");
    private static final int RESERVE = 4096;
    private static final int START = JournalFormat.RECORDS_START;

    private final MemoryDirectory disk = new MemoryDirectory();
    private final FaultyDirectory directory = new FaultyDirectory(disk);
    private boolean unlocked;

    private FileLog log() throws IOException {
        JournalOptions options =
                JournalOptions.builder().reserveBytes(RESERVE).maxGroupBytes(64).build();
        SnapshotWriter snapshots = new SnapshotWriter(directory, NODE, options, new SplittableRandom(1));
        LogFile file =
                snapshots.write(List.of(), 1, ByteBuffer.allocate(64), true).file();
        directory.rename(FileLog.NEW, FileLog.JOURNAL);
        return new FileLog(directory, options, snapshots, () -> unlocked = true, file, 1);
    }

    /** An entry whose record takes so many bytes. */
    private static JournalEntry record(int bytes) {
        return entry("x".repeat(bytes - JournalFormat.OVERHEAD));
    }

    private int fileBytes() {
        return disk.content(FileLog.JOURNAL).length;
    }

    @ParameterizedTest(name = "a record of {0} bytes leaves a file of {1}")
    @CsvSource({
        // the room behind the reserve is what the first record left: 4096
        "4095, 16484",
        "4096, 16484",
        "4097, 20581",
    })
    void theFileGrowsByTheReserveWhenARecordWouldNotLeaveTheReserveFree(int bytes, int expected) throws IOException {
        FileLog log = log();
        assertThat(fileBytes()).isEqualTo(START + RESERVE);
        log.add(record(100), NORMAL);
        assertThat(fileBytes()).isEqualTo(START + 100 + 2 * RESERVE);

        log.add(record(bytes), NORMAL);

        assertThat(fileBytes()).isEqualTo(expected);
    }

    /** The bound of a group is for the journal in front of it; a log takes what it is given. */
    @Test
    void aGroupLargerThanItsBoundIsWrittenWhole() throws IOException {
        FileLog log = log();
        log.add(record(40), NORMAL);
        log.add(record(60), NORMAL);
        log.add(record(1000), NORMAL);
        log.write();
        log.add(record(50), NORMAL);
        log.write();
        log.sync();

        assertThat(log.size()).isEqualTo(START + 40 + 60 + 1000 + 50);
        Scan scan = scan();
        assertThat(scan.records().stream().map(found -> found.payload().length)).containsExactly(12, 32, 972, 22);
        assertThat(scan.damage()).isEmpty();
    }

    private Scan scan() throws IOException {
        FileWindow window = new FileWindow(directory.open(FileLog.JOURNAL));
        JournalHeader header = HeaderReader.read(window, "journal").header();
        return RecordScanner.scan(header, window);
    }

    @Test
    void aFailedWriteMarksTheFileAsSuspect() throws IOException {
        FileLog log = log();
        log.add(record(40), NORMAL);
        directory.failNextWrite = true;

        assertThatIOException().isThrownBy(log::write);

        assertThat(log.trusted()).isFalse();
        assertThat(disk.names()).containsExactly(FileLog.JOURNAL, FileLog.SUSPECT);
        assertThat(directory.openFiles()).as("the marker is closed").isEqualTo(1);
    }

    /** What a failed write left in memory is no part of the next group. */
    @Test
    void aSnapshotAfterAFailedWriteHoldsNothingOfTheLostGroup() throws IOException {
        FileLog log = log();
        log.add(record(40), NORMAL);
        directory.failNextWrite = true;
        assertThatIOException().isThrownBy(log::write);

        log.prepareSnapshot(List.of(record(50)));
        log.installSnapshot();

        assertThat(log.trusted()).isTrue();
        assertThat(log.size()).isEqualTo(START + 50);
        assertThat(disk.names()).containsExactly(FileLog.JOURNAL);
    }

    @ParameterizedTest(name = "{0} bytes behind a snapshot of 800: {1}")
    @CsvSource({"28, false", "99, false", "100, false", "101, true", "900, true"})
    void aCompactionIsWorthItsWorkWhenItGivesBackMoreThanAnEighth(int behind, boolean worth) throws IOException {
        FileLog log = log();
        log.prepareSnapshot(List.of(record(800)));
        log.installSnapshot();
        log.add(record(behind), NORMAL);
        log.write();

        assertThat(log.worthCompacting()).isEqualTo(worth);
    }

    @Test
    void aSnapshotThatIsPreparedAnewTakesThePlaceOfTheOneBefore() throws IOException {
        FileLog log = log();
        log.prepareSnapshot(List.of(record(50)));
        log.prepareSnapshot(List.of(record(60)));
        assertThat(directory.openFiles()).as("in force and prepared").isEqualTo(2);

        log.installSnapshot();

        assertThat(directory.openFiles()).as("in force").isEqualTo(1);
        assertThat(log.size()).isEqualTo(START + 60);
    }

    @ParameterizedTest(name = "with a prepared snapshot: {0}")
    @CsvSource({"false", "true"})
    void aClosedLogKeepsNoFileOpenAndLetsGoOfTheRoot(boolean prepared) throws IOException {
        FileLog log = log();
        if (prepared) {
            log.prepareSnapshot(List.of(record(50)));
        }
        assertThat(unlocked).isFalse();

        log.close();

        assertThat(directory.openFiles()).isZero();
        assertThat(unlocked).isTrue();
    }
}
