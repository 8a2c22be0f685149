package io.volume4j.spi.model;

/**
 * Formats text that others wrote for one line of a message. API servers check few of the names by which objects refer to others: such
 * a name may contain line breaks, and may be as long as the object. As it is, it could forge a line of a log, or fill an event.
 *
 * @since 0.1.0
 */
public final class OneLine {
    /** The most characters of a name of an API object. */
    private static final int LONGEST_NAME = 253;

    private static final int LONGEST_QUOTE = 120;

    private OneLine() {}

    /**
     * A name as it is, if it could be the name of an object: printable ASCII without spaces and quotes, of at most 253
     * characters. Any other text is {@link #quoted}. An empty name stays empty.
     */
    public static String name(String name) {
        if (name.length() > LONGEST_NAME) {
            return quoted(name);
        }
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character <= ' ' || character >= 0x7f || character == '"') {
                return quoted(name);
            }
        }
        return name;
    }

    /** The text in quotes, cut after 120 characters. Each character that cannot be printed becomes a question mark. */
    public static String quoted(String text) {
        return '"' + cut(text, LONGEST_QUOTE) + '"';
    }

    /**
     * The text without characters that cannot be printed, each of which becomes a question mark.
     *
     * @param longest the number of characters after which the text is cut, with an ellipsis
     */
    public static String cut(String text, int longest) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), longest) + 1);
        text.codePoints().limit(longest).forEach(point -> line.appendCodePoint(isPrintable(point) ? point : '?'));
        return text.codePointCount(0, text.length()) > longest
                ? line.append('…').toString()
                : line.toString();
    }

    private static boolean isPrintable(int point) {
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
