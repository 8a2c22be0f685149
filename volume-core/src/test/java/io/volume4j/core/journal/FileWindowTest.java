package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file is read as if it lay in memory as a whole, with zeros where the disk refuses to read it. */
class FileWindowTest {
    private static final int CHUNK = 256 << 10;
    private static final int BLOCK = 4096;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BLOCK, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 17})
    void showsTheBytesOfAnyStretch(int size) throws IOException {
        BytesFile file = new BytesFile(size);
        FileWindow window = new FileWindow(file);
        SplittableRandom random = new SplittableRandom(size);
        assertThat(window.size()).isEqualTo(size);
        for (int i = 0; i < 200 && size > 0; i++) {
            int offset = random.nextInt(size);
            int count = 1 + random.nextInt(Math.min(size - offset, 2 * CHUNK));
            int at = window.require(offset, count);
            for (int index = 0; index < count; index += 1 + random.nextInt(97)) {
                assertThat(window.bytes().get(at + index)).isEqualTo(file.content[offset + index]);
            }
            assertThat(window.bytes().get(at + count - 1)).isEqualTo(file.content[offset + count - 1]);
        }
        assertThat(window.endOfUnreadable()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> window.require(size, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> window.require(0, size + 1));
    }

    /** What is in memory is not read again, and what is not is read at once. */
    @Test
    void readsAFileOnceFromItsBeginningToItsEnd() throws IOException {
        BytesFile file = new BytesFile(3 * CHUNK);
        FileWindow window = new FileWindow(file);
        for (int offset = 0; offset < 3 * CHUNK; offset += 1000) {
            window.require(offset, Math.min(1000, 3 * CHUNK - offset));
        }

        assertThat(file.reads).isBetween(3, 4);

        window.require(3 * CHUNK - 1, 1);
        assertThat(file.reads).isBetween(3, 4);
    }

    @Test
    void findsAByteWhereverItStands() throws IOException {
        for (int place : new int[] {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1}) {
            BytesFile file = new BytesFile(new byte[2 * CHUNK]);
            file.content[place] = 7;
            FileWindow window = new FileWindow(file);

            assertThat(window.find((byte) 7, 0)).isEqualTo(place);
            assertThat(window.find((byte) 7, place)).isEqualTo(place);
            assertThat(window.find((byte) 7, place + 1L)).as("none behind it").isEqualTo(2 * CHUNK);
            assertThat(window.endOfContent(0)).isEqualTo(place + 1);
            assertThat(window.endOfContent(place + 1L)).isEqualTo(place + 1);
        }
    }

    /** A read error is no end of the file: what lies behind it is there. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 80})
    void showsZerosForABlockThatTheDiskRefusesToRead(int block) throws IOException {
        BytesFile file = new BytesFile(81 * BLOCK - 100);
        file.unreadable.set(block);
        FileWindow window = new FileWindow(file);
        // from the middle of a block, so that blocks of the window are not those of the disk
        for (int offset = 100; offset + 1000 <= file.content.length; offset += 1000) {
            int at = window.require(offset, 1000);
            for (int i = 0; i < 1000; i += 7) {
                boolean lost = (offset + i) / BLOCK == block;
                assertThat(window.bytes().get(at + i)).isEqualTo(lost ? 0 : file.content[offset + i]);
            }
        }
        window.require(file.content.length - 1, 1);

        assertThat(window.endOfUnreadable()).isEqualTo(Math.min((block + 1) * BLOCK, file.content.length));
    }

    /** A file that another program cut off meanwhile is unreadable behind its new end. */
    @Test
    void takesAnEndBeforeTheEndForUnreadable() throws IOException {
        BytesFile file = new BytesFile(3 * BLOCK);
        FileWindow window = new FileWindow(file);
        file.cutAt = BLOCK;

        int at = window.require(0, 3 * BLOCK);

        assertThat(window.bytes().get(at + BLOCK - 1)).isEqualTo(file.content[BLOCK - 1]);
        assertThat(window.bytes().get(at + BLOCK)).isZero();
        assertThat(window.endOfUnreadable()).isEqualTo(3 * BLOCK);
    }

    @Test
    void failsWhereTheSizeCannotBeRead() {
        BytesFile file = new BytesFile(1);
        file.cutAt = -1;

        assertThatThrownBy(() -> new FileWindow(file)).isInstanceOf(IOException.class);
    }

    /** Also where a stretch begins or ends with what is in memory. */
    @Test
    void readsNothingTwiceThatIsInMemory() throws IOException {
        BytesFile file = new BytesFile(2 * CHUNK);
        FileWindow window = new FileWindow(file);
        window.require(10, CHUNK);
        assertThat(file.reads).isEqualTo(1);

        window.require(10, 1);
        window.require(10, CHUNK);
        window.require(CHUNK + 9, 1);
        assertThat(file.reads).isEqualTo(1);

        window.require(CHUNK + 10, 1);
        assertThat(file.reads).isEqualTo(2);
        window.require(9, 1);
        assertThat(file.reads).isEqualTo(3);
    }
}
