package io.volume4j.examples.commandline;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

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

    /**
     * Finds out whether the file can be written, for a result that comes only after long work. Changes nothing: a file that is there
     * keeps its text, and one that is not is not there afterwards either.
     *
     * @param option by which the user named it
     * @throws Usage if it cannot be written; the message is as that of {@link #read}
     */
    public static void requireWritable(String option, Path file) {
        try {
            tryToOpen(file);
        } catch (IOException unwritable) {
            throw new Usage(option + ": cannot write " + file + ": " + FileReason.of(unwritable));
        }
    }

    private static void tryToOpen(Path file) throws IOException {
        Set<? extends OpenOption> how;
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            how = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, StandardOpenOption.DELETE_ON_CLOSE);
        } else if (Files.isRegularFile(file) || Files.isDirectory(file)) {
            how = Set.of(StandardOpenOption.WRITE);
        } else {
            // a pipe, whose reader would take the end of this attempt for that of the text; a device; a link to nothing
            return;
        }
        Files.newByteChannel(file, how).close();
    }
}
