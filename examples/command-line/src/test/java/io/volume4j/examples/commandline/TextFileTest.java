package io.volume4j.examples.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that the user named and that cannot be read is told with its name and the reason. */
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

    private static void refuses(Path file, String why) {
        assertThatExceptionOfType(Usage.class)
                .isThrownBy(() -> TextFile.read("--words", file))
                .withMessage("--words: cannot read " + file + ": " + why);
    }
}
