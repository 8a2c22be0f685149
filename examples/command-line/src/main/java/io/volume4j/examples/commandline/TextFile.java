package io.volume4j.examples.commandline;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text file that the user named. */
public final class TextFile {
    private TextFile() {}

    /**
     * Its text.
     *
     * @param option by which the user named it
     * @throws Usage if it cannot be read; the message has the option, the file and the reason in words, and nothing of the text
     */
    public static String read(String option, Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new Usage(option + ": cannot read " + file + ": " + FileReason.of(unreadable));
        }
    }
}
