package io.volume4j.core.plugins.common;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A path as a user wrote it, without what means nothing. Pure. */
public final class PlainPath {
    private PlainPath() {}

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
