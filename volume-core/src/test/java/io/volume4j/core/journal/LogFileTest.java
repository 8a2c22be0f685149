package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each write of a file reaches the bytes that it is for, and no others, however little the file system takes at a time. */
class LogFileTest {
    private static final int TAIL = JournalFormat.RECORDS_START + 10;
    private static final int SIZE = TAIL + 200_000;

    private final MemoryDirectory disk = new MemoryDirectory();
    private final FaultyDirectory directory = new FaultyDirectory(disk);

    /** A file whose bytes are all 1, with its last record at {@link #TAIL}. */
    private LogFile file() throws IOException {
        byte[] ones = new byte[SIZE];
        Arrays.fill(ones, (byte) 1);
        disk.put("journal", ones);
        return new LogFile(directory.open("journal"), 7, TAIL, SIZE, 0);
    }

    private static void assertChanged(byte[] content, int from, int to, int expected) {
        for (int at = 0; at < content.length; at++) {
            assertThat(content[at]).as("at %d", at).isEqualTo((byte) (at >= from && at < to ? expected : 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_536, 65_537, 150_000})
    void clearErasesBetweenTheLastRecordAndTheOffset(int count) throws IOException {
        file().clear(TAIL + count);

        assertThat(disk.content("journal")).hasSize(SIZE);
        assertChanged(disk.content("journal"), TAIL, TAIL + count, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 1000})
    void whatIsAppendedStandsBehindTheLastRecord(int taken) throws IOException {
        disk.limitWrites(taken);
        LogFile file = file();
        byte[] twos = new byte[150];
        Arrays.fill(twos, (byte) 2);

        file.append(ByteBuffer.wrap(twos));

        assertThat(file.tail()).isEqualTo(TAIL + 150);
        assertThat(file.allocated()).isEqualTo(SIZE);
        assertChanged(disk.content("journal"), TAIL, TAIL + 150, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 65_536, 65_537, 150_000})
    void theFileIsAllocatedUpToTheOffset(int more) throws IOException {
        LogFile file = file();

        file.allocate(SIZE + more);

        assertThat(file.allocated()).isEqualTo(SIZE + more);
        assertThat(disk.content("journal")).hasSize(SIZE + more);
        assertChanged(disk.content("journal"), SIZE, SIZE + more, 0);
    }

    @Test
    void aFileSystemThatTakesNothingIsNotAskedWithoutEnd() throws IOException {
        LogFile file = file();
        directory.takesNothing = true;

        assertThatIOException()
                .isThrownBy(() -> file.append(ByteBuffer.allocate(1)))
                .withMessageContaining("took none");
        assertThatIOException().isThrownBy(() -> file.clear(SIZE)).withMessageContaining("took none");
        assertThatIOException().isThrownBy(() -> file.allocate(SIZE + 1)).withMessageContaining("took none");
        assertThat(file.tail()).isEqualTo(TAIL);
        assertThat(file.allocated()).isEqualTo(SIZE);
    }

    @Test
    void aClosedLogFileHasClosedItsFile() throws IOException {
        LogFile file = file();
        assertThat(directory.openFiles()).isEqualTo(1);

        file.close();

        assertThat(directory.openFiles()).isZero();
    }
}
