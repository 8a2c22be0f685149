package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads files that a user named, with clear messages if a file is missing or not readable. */
final class SmallFile {
    private static final int LONGEST = 4 << 20;

    private SmallFile() {}

    /** The bytes of the file as characters, up to a limit that no such file exceeds. */
    static String read(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return new String(stream.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException absent) {
            throw new IOException(file + ": there is no such file", absent);
        } catch (AccessDeniedException forbidden) {
            throw new IOException(file + ": it may not be read by this process", forbidden);
        } catch (IOException failed) {
            throw new IOException(file + ": " + failed.getMessage(), failed);
        }
    }
}
