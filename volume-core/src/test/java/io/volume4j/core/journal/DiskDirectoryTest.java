package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.volume4j.core.journal.JournalDirectory.JournalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the machine do what {@link JournalDirectory} promises. */
class DiskDirectoryTest {
    @TempDir
    Path root;

    @Test
    void aNameIsDescribedByItsWholePath() {
        assertThat(new DiskDirectory(root).describe("journal"))
                .isEqualTo(root.resolve("journal").toString());
    }

    @Test
    void aFileIsReadAndWrittenAtAnyOffsetAndTellsItsEnd() throws IOException {
        try (JournalFile file = new DiskDirectory(root).create("a")) {
            assertThat(file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 5)).isEqualTo(3);
            file.sync();

            ByteBuffer target = ByteBuffer.allocate(10);
            assertThat(file.size()).isEqualTo(8);
            assertThat(file.read(target, 6)).isEqualTo(2);
            assertThat(target.array()).startsWith(2, 3, 0);
            assertThat(file.read(target, 8)).as("at the end").isEqualTo(-1);
            assertThat(file.read(target, 9)).as("behind it").isEqualTo(-1);
        }
    }

    @Test
    void aClosedFileIsNotReadAnyMore() throws IOException {
        JournalFile file = new DiskDirectory(root).create("a");

        file.close();

        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> file.read(ByteBuffer.allocate(1), 0));
    }
}
