package io.volume4j.examples.commandline;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A text file that the user named. */
public final class TextFile {
    private TextFile() {}

    /**
     * Its text.
     *
     * @param option by which the user named it
     * @throws Usage if it cannot be read; the message has the option, the file and the reason in words, and nothing of the text. The JDK's
     *     messages are a path alone, or do not have the path
     */
    public static String read(String option, Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new Usage(option + ": cannot read " + file + ": " + why(unreadable));
        }
    }

    private static String why(IOException unreadable) {
        if (unreadable instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (unreadable instanceof AccessDeniedException) {
            return "this process may not read it";
        }
        if (unreadable instanceof CharacterCodingException) {
            return "it is no text in UTF-8";
        }
        return String.valueOf(unreadable.getMessage());
    }
}
