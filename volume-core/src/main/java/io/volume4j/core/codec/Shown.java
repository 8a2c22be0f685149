package io.volume4j.core.codec;

import io.volume4j.spi.model.OneLine;

/** Formats text from a manifest for a message: one line, without control characters, with an ellipsis if it is cut. */
final class Shown {
    private static final int LONGEST_VALUE = 64;
    private static final int LONGEST_LINE = 1000;

    private Shown() {}

    /** A value in quotes. Not for fields that may contain secrets. */
    static String value(String text) {
        return '"' + word(text) + '"';
    }

    static String line(String text) {
        return OneLine.cut(text, LONGEST_LINE);
    }

    static String word(String text) {
        return OneLine.cut(text, LONGEST_VALUE);
    }
}
