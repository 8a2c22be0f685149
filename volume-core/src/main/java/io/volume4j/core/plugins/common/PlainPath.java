package io.volume4j.core.plugins.common;

import io.volume4j.spi.VolumeException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A path as a user wrote it, without what means nothing. Pure. */
public final class PlainPath {
    private PlainPath() {}

    /**
     * The path as an object of Java, which accepts no unpaired surrogate, and with the locale "C" only ASCII.
     *
     * @param subject the path in its manifest, for the message
     * @throws VolumeException final, if this process cannot have such a file name
     */
    public static Path named(String subject, String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException unmappable) {
            throw VolumeException.finalFailure(subject + " has letters that file names of this process cannot have")
                    .withAdvice("run the process with a UTF-8 locale, such as LC_ALL=C.UTF-8");
        }
    }

    /**
     * The path without needless slashes and dots, and without a slash at its beginning and end: {@code ./a//b/} is
     * {@code a/b}. Names of two dots stay: only the kernel knows where they lead.
     */
    public static String of(String path) {
        return Arrays.stream(path.split("/"))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .collect(Collectors.joining("/"));
    }
}
