package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.RecordScanner.Scan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a file, record by record, and what is cut off as a torn tail or told as damage. */
class RecordScannerTest {
    private static final long SALT = 0x1234_5678_9abc_def0L;
    private static final int START = JournalFormat.RECORDS_START;
    private static final int A_RECORD = JournalFormat.OVERHEAD + 1;

    private final ByteBuffer file = ByteBuffer.allocate(64 << 10).position(START);
    private long snapshotRecords;
    private int size = 64 << 10;

    @Test
    void readsEveryRecordUpToTheLast() throws IOException {
        record(5, 1, "a").record(6, 2, "b").record(7, 3, "");

        Scan scan = scan();

        assertThat(scan.records().stream().map(RecordScannerTest::shown)).containsExactly("5 1 a", "6 2 b", "7 3 ");
        assertThat(scan.nextSequence()).isEqualTo(8);
        assertThat(scan.tail()).isEqualTo(file.position());
        assertThat(scan.contentEnd()).isEqualTo(file.position());
        assertThat(scan.snapshotEnd()).isEqualTo(START);
        assertThat(scan.cutBytes()).isZero();
        assertThat(scan.damage()).isEmpty();
        assertThat(scan.lastBootId()).isEqualTo("boot-1");
        assertThat(scan.bootFrom()).isEqualTo(5);
    }

    @Test
    void readsARecordThatEndsWithTheFile() throws IOException {
        record(5, 1, "").record(6, 2, "b");
        size = file.position();
        assertThat(scan().records()).hasSize(2);

        size = START + JournalFormat.OVERHEAD;
        assertThat(scan().records()).hasSize(1);
        assertThat(scan().tail()).isEqualTo(size);
        assertThat(scan().damage()).isEmpty();
    }

    /** A group that was never completely written was never told durable. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 17, 24, 25, 28})
    void cutsOffATornTail(int left) throws IOException {
        record(5, 1, "a").record(6, 2, "b");
        int end = START + A_RECORD + left;
        for (int i = end; i < file.position(); i++) {
            file.put(i, (byte) 0);
        }

        Scan scan = scan();

        assertThat(scan.records()).hasSize(1);
        assertThat(scan.nextSequence()).isEqualTo(6);
        assertThat(scan.tail()).isEqualTo(START + A_RECORD);
        assertThat(scan.contentEnd()).isLessThanOrEqualTo(end).isGreaterThan(scan.tail());
        assertThat(scan.cutBytes()).isEqualTo(scan.contentEnd() - scan.tail());
        assertThat(scan.damage()).isEmpty();
    }

    @Test
    void cutsOffATailThatAShortFileHasNoRoomFor() throws IOException {
        record(5, 1, "a").record(6, 2, "b");
        size = file.position() - 1;

        Scan scan = scan();

        assertThat(scan.records()).hasSize(1);
        assertThat(scan.cutBytes()).isEqualTo(A_RECORD - 1);
        assertThat(scan.damage()).isEmpty();
    }

    /** What has a readable record behind it was durable once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 10, 16, 21, 24, 26})
    void tellsOfARecordInTheMiddleThatCannotBeRead(int harmed) throws IOException {
        record(5, 1, "a").record(6, 2, "b").record(7, 3, "c");
        int at = START + A_RECORD + harmed;
        file.put(at, (byte) (file.get(at) ^ 1));

        Scan scan = scan();

        assertThat(scan.records()).hasSize(2);
        assertThat(scan.damage()).containsExactly(new DamagedRange(START + A_RECORD, A_RECORD, 6, 1));
        assertThat(scan.tail()).isEqualTo(file.position());
        assertThat(scan.nextSequence()).isEqualTo(8);
        assertThat(scan.cutBytes()).isZero();
    }

    @Test
    void tellsOfRecordsThatAreMissingBetweenTwoThatTouch() throws IOException {
        record(5, 1, "a").record(9, 2, "b");

        assertThat(scan().damage()).containsExactly(new DamagedRange(START + A_RECORD, 0, 6, 3));
    }

    @Test
    void takesNoRecordOfAnotherFileOrOfABeforeOne() throws IOException {
        record(5, 1, "a");
        JournalFormat.putRecord(file, SALT + 1, 6, (byte) 1, bytes("other"));
        record(5, 1, "again").record(4, 1, "before").record(6, -1, "of no type");

        Scan scan = scan();

        assertThat(scan.records().stream().map(RecordScannerTest::shown)).containsExactly("5 1 a");
        assertThat(scan.damage()).as("nothing readable follows").isEmpty();
        assertThat(scan.contentEnd()).isEqualTo(file.position());
    }

    @Test
    void findsTheEndOfTheSnapshot() throws IOException {
        snapshotRecords = 2;
        record(5, 1, "a").record(6, 1, "b").record(7, 1, "c");

        assertThat(scan().snapshotEnd()).isEqualTo(START + 2 * A_RECORD);
        assertThat(scan().damage()).isEmpty();
    }

    /** The snapshot was synced before the file was put in force: an end within it is no torn tail. */
    @Test
    void tellsOfASnapshotWhoseEndIsLost() throws IOException {
        snapshotRecords = 3;
        record(5, 1, "a").record(6, 1, "b");

        assertThat(scan().damage()).containsExactly(new DamagedRange(file.position(), 0, 7, 1));
        assertThat(scan().cutBytes()).isZero();
        assertThat(scan().snapshotEnd()).isEqualTo(file.position());
    }

    @Test
    void tellsOfAFileThatIsShorterThanItsHeaders() throws IOException {
        size = START - 1;

        assertThat(scan().damage()).hasSize(1);
    }

    @Test
    void takesAFileOfHeadersAloneForWhole() throws IOException {
        size = START;

        assertThat(scan().damage()).isEmpty();
        assertThat(scan().tail()).isEqualTo(START);
    }

    /** That a copy of the header cannot be read is told by itself; the other copy has all that is in it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void tellsOfNoRecordForAHeaderThatCannotBeRead(int copy) throws IOException {
        BytesFile bytes = new BytesFile(file.array());
        bytes.unreadable.set(copy);
        FileWindow window = new FileWindow(bytes);
        window.require(0, START);
        assertThat(window.endOfUnreadable()).isEqualTo((copy + 1L) * JournalFormat.HEADER_BYTES);

        assertThat(scan(window).damage()).isEmpty();
    }

    /** The disk's blocks in memory are fewer than a record may have. */
    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 257, 300, 700})
    void readsRecordsLargerThanWhatIsInMemory(int kilobytes) throws IOException {
        ByteBuffer large = ByteBuffer.allocate(START + 3 * (JournalFormat.OVERHEAD + (kilobytes << 10)))
                .position(START);
        for (int i = 0; i < 3; i++) {
            byte[] payload = new byte[kilobytes << 10];
            payload[payload.length - 1] = (byte) i;
            JournalFormat.putRecord(large, SALT, 5 + i, (byte) 1, payload);
        }

        Scan scan = scan(new FileWindow(new BytesFile(large.array())));

        assertThat(scan.damage()).isEmpty();
        assertThat(scan.tail()).isEqualTo(large.capacity());
        assertThat(scan.records().stream().map(found -> (int) found.payload()[(kilobytes << 10) - 1]))
                .containsExactly(0, 1, 2);
    }

    @Test
    void knowsTheBootOfEachRecord() throws IOException {
        record(5, 1, "a").record(6, JournalFormat.BOOT, "boot-2").record(7, 1, "b");

        Scan scan = scan();

        assertThat(scan.records()).hasSize(2);
        assertThat(scan.lastBootId()).isEqualTo("boot-2");
        assertThat(scan.bootFrom()).isEqualTo(6);
    }

    private RecordScannerTest record(long sequence, int type, String payload) {
        JournalFormat.putRecord(file, SALT, sequence, (byte) type, bytes(payload));
        return this;
    }

    private Scan scan() throws IOException {
        byte[] content = new byte[size];
        System.arraycopy(file.array(), 0, content, 0, size);
        return scan(new FileWindow(new BytesFile(content)));
    }

    private Scan scan(FileWindow window) throws IOException {
        JournalHeader header = new JournalHeader(new JournalIdentity("n", "boot-1", "r"), SALT, 5, snapshotRecords);
        return RecordScanner.scan(header, window);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String shown(JournalRecord record) {
        return record.sequence() + " " + record.type() + " " + new String(record.payload(), StandardCharsets.UTF_8);
    }
}
