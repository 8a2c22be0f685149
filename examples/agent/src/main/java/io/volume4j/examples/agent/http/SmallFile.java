package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that a person named, whose absence is to be told in words. */
final class SmallFile {
    private static final int LONGEST = 4 << 20;

    private SmallFile() {}

    /** Its bytes as characters; what is longer than any such file is cut off. */
    static String read(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return new String(stream.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException absent) {
            throw new IOException(file + ": there is no such file", absent);
        } catch (AccessDeniedException forbidden) {
            throw new IOException(file + ": it may not be read by this process", forbidden);
        }
    }
}
