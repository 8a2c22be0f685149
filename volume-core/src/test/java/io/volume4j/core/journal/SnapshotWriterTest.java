package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.volume4j.core.journal.RecordLog.SnapshotFailedException;
import io.volume4j.core.journal.SnapshotWriter.Prepared;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A snapshot is a whole file within its bounds, or there is none. */
class SnapshotWriterTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");
    private static final int START = JournalFormat.RECORDS_START;
    private static final int HEADERS = JournalFormat.HEADER_COPIES;

    private final MemoryDirectory disk = new MemoryDirectory();
    private final FaultyDirectory directory = new FaultyDirectory(disk);
    private final JournalOptions.Builder options = JournalOptions.builder().reserveBytes(0);
    private ByteBuffer buffer = ByteBuffer.allocate(100);

    private Prepared write(boolean reserveRequired, int... records) throws IOException {
        List<JournalEntry> entries =
                IntStream.of(records).mapToObj(SnapshotWriterTest::record).toList();
        return new SnapshotWriter(directory, NODE, options.build(), new SplittableRandom(1))
                .write(entries, 5, buffer, reserveRequired);
    }

    /** An entry whose record takes so many bytes. */
    private static JournalEntry record(int bytes) {
        return new JournalEntry(7, new byte[bytes - JournalFormat.OVERHEAD]);
    }

    private List<Integer> found() throws IOException {
        FileWindow window = new FileWindow(directory.open(FileLog.NEW));
        HeaderReader read = HeaderReader.read(window, "journal");
        assertThat(read.header().firstSequence()).isEqualTo(5);
        RecordScanner.Scan scan = RecordScanner.scan(read.header(), window);
        assertThat(scan.damage()).isEmpty();
        return scan.records().stream()
                .map(record -> JournalFormat.OVERHEAD + record.payload().length)
                .toList();
    }

    @ParameterizedTest(name = "records of {0}, {1} and {2} bytes: {3} writes")
    @CsvSource({
        // buffer: 100 bytes
        "40, 30, 30, 1",
        "40, 30, 31, 2",
        "40, 60, 40, 2",
        "40, 61, 40, 3",
        "100, 100, 100, 3",
        "40, 101, 40, 3",
        "200, 30, 300, 3",
    })
    void recordsAreWrittenInTheirOrderAndTogetherAsFarAsTheBufferHolds(int a, int b, int c, int writes)
            throws IOException {
        Prepared prepared = write(true, a, b, c);

        assertThat(directory.writes - HEADERS).isEqualTo(writes);
        assertThat(prepared.lastSequence()).isEqualTo(7);
        assertThat(prepared.file().tail()).isEqualTo(START + a + b + c);
        assertThat(prepared.file().snapshotEnd()).isEqualTo(prepared.file().tail());
        assertThat(found()).containsExactly(a, b, c);
        assertThat(buffer.position()).as("empty again").isZero();
    }

    @ParameterizedTest(name = "buffer of {0} bytes")
    @CsvSource({"100", "40000", "100000"})
    void aSnapshotMayReachTheBoundOfTheJournalAndNotPassIt(int bytes) throws IOException {
        buffer = ByteBuffer.allocate(bytes);
        options.maxJournalBytes(65_536);
        int rest = 65_536 - START - 30_000;
        assertThat(write(true, 30_000, rest).file().tail()).isEqualTo(65_536);

        assertThatIOException()
                .isThrownBy(() -> write(true, 30_000, rest + 1))
                .withMessageContaining("maxJournalBytes 65536");
        assertThat(disk.names()).isEmpty();
        assertThat(buffer.position()).as("empty again").isZero();
    }

    @Test
    void aSnapshotHoldsTheLargestRecordAndRefusesALargerOne() throws IOException {
        int largest = JournalOptions.RECORD_BYTES_LIMIT + JournalFormat.OVERHEAD;
        assertThat(write(true, largest).file().tail()).isEqualTo(START + largest);

        assertThatExceptionOfType(SnapshotFailedException.class).isThrownBy(() -> write(true, largest + 1));
    }

    @ParameterizedTest(name = "room for {0} bytes of a reserve of 4096")
    @CsvSource({"4096, true", "4095, false", "0, false"})
    void aFileWithoutItsReserveIsWrittenOnlyIfAnyIsBetterThanNone(int room, boolean whole) throws IOException {
        options.reserveBytes(4096);
        disk.limitSpace(START + 100 + room);
        assertThat(write(false, 100).file().tail()).isEqualTo(START + 100);
        directory.deleteIfExists(FileLog.NEW);

        if (whole) {
            assertThat(write(true, 100).file().allocated()).isEqualTo(START + 100 + 4096);
        } else {
            assertThatIOException().isThrownBy(() -> write(true, 100)).withMessageContaining("No space");
            assertThat(disk.names()).isEmpty();
        }
    }

    @Test
    void aFailedWriteLeavesNoFileBehind() {
        directory.failNextSnapshot = true;

        assertThatIOException().isThrownBy(() -> write(true, 40, 40));

        assertThat(disk.names()).isEmpty();
        assertThat(directory.openFiles()).isZero();
    }

    @Test
    void aFileThatCannotBeRemovedEitherIsToldBesideTheFirstFailure() {
        directory.failNextSnapshot = true;
        directory.failNextDelete = true;

        assertThatIOException()
                .isThrownBy(() -> write(true, 40))
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(directory.openFiles()).isZero();
    }
}
