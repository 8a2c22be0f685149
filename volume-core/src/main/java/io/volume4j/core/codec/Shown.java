package io.volume4j.core.codec;

/** Formats text from a manifest for a message: one line, without control characters, with an ellipsis if it is cut. */
final class Shown {
    private static final int LONGEST_VALUE = 64;
    private static final int LONGEST_LINE = 1000;

    private Shown() {}

    /** A value in quotes. Not for fields that may contain secrets. */
    static String value(String text) {
        return '"' + printable(text, LONGEST_VALUE) + '"';
    }

    static String line(String text) {
        return printable(text, LONGEST_LINE);
    }

    static String word(String text) {
        return printable(text, LONGEST_VALUE);
    }

    private static String printable(String text, int longest) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), longest) + 1);
        text.codePoints().limit(longest).forEach(point -> line.appendCodePoint(isPlain(point) ? point : '?'));
        return text.codePointCount(0, text.length()) > longest
                ? line.append('…').toString()
                : line.toString();
    }

    private static boolean isPlain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
