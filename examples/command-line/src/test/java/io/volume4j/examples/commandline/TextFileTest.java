package io.volume4j.examples.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file that the user named and that cannot be read or written is told with its name and the reason. */
@Timeout(60)
class TextFileTest {
    @TempDir
    private Path place;

    @Test
    void itsTextIsRead() throws IOException {
        assertThat(TextFile.read("--words", Files.writeString(place.resolve("a b"), "grün")))
                .isEqualTo("grün");
    }

    @Test
    void absentFilesDirectoriesAndBinariesAreToldInWords() throws IOException {
        Path binary = Files.write(place.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        refuses(place.resolve("absent"), "there is no such file or directory");
        refuses(place, "Is a directory");
        refuses(binary, "it is no text in UTF-8");
    }

    @Test
    void whetherAFileCanBeWrittenIsFoundOutWithoutAChange() throws IOException {
        Path there = Files.writeString(place.resolve("there"), "text");
        Path absent = place.resolve("absent");

        TextFile.requireWritable("--words", there);
        TextFile.requireWritable("--words", absent);

        assertThat(there).hasContent("text");
        assertThat(absent).doesNotExist();
    }

    @Test
    void aDirectoryAndAFileInNoDirectoryCannotBeWritten() {
        refusesToWrite(place, "Is a directory");
        refusesToWrite(place.resolve("absent/file"), "there is no such file or directory");
    }

    /** In a thread of its own: opening a pipe would wait for a reader, and an interrupt would not end that. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theReaderOfAPipeIsNotDisturbedByTheQuestion() throws Exception {
        Path pipe = place.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThatNoException().isThrownBy(() -> TextFile.requireWritable("--words", pipe));
    }

    private static void refusesToWrite(Path file, String why) {
        assertThatExceptionOfType(Usage.class)
                .isThrownBy(() -> TextFile.requireWritable("--words", file))
                .withMessage("--words: cannot write " + file + ": " + why);
    }

    private static void refuses(Path file, String why) {
        assertThatExceptionOfType(Usage.class)
                .isThrownBy(() -> TextFile.read("--words", file))
                .withMessage("--words: cannot read " + file + ": " + why);
    }
}
