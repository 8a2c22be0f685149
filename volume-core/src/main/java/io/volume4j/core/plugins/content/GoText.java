package io.volume4j.core.plugins.content;

import java.util.Locale;

/** Text in the notation of Go's {@code %q}: {@code strconv.Quote}. Pure. */
final class GoText {
    private static final String REPLACEMENT = "\uFFFD";
    private static final int FIRST_PICTURE = 0x1F000;
    private static final int LAST_PICTURE = 0x1FAFF;

    private GoText() {}

    static String quoted(String value) {
        StringBuilder text = new StringBuilder("\"");
        value.codePoints().forEach(point -> text.append(escaped(point)));
        return text.append('"').toString();
    }

    private static String escaped(int point) {
        switch (point) {
            case '"':
                return "\\\"";
            case '\\':
                return "\\\\";
            case 7:
                return "\\a";
            case '\b':
                return "\\b";
            case '\f':
                return "\\f";
            case '\n':
                return "\\n";
            case '\r':
                return "\\r";
            case '\t':
                return "\\t";
            case 11:
                return "\\v";
            default:
                return isPrinted(point) ? Character.toString(point) : byNumber(point);
        }
    }

    /**
     * Go's {@code unicode.IsPrint}: letters, marks, numbers, punctuation, symbols, and of all spaces only that of ASCII. Each
     * version of Unicode adds symbols to the blocks of pictures, and the JVM may have an older one than Go: there, also the
     * characters that the JVM does not know.
     */
    private static boolean isPrinted(int point) {
        switch (Character.getType(point)) {
            case Character.CONTROL:
            case Character.FORMAT:
            case Character.SURROGATE:
            case Character.PRIVATE_USE:
            case Character.LINE_SEPARATOR:
            case Character.PARAGRAPH_SEPARATOR:
                return false;
            case Character.UNASSIGNED:
                return point >= FIRST_PICTURE && point <= LAST_PICTURE;
            case Character.SPACE_SEPARATOR:
                return point == ' ';
            default:
                return true;
        }
    }

    private static String byNumber(int point) {
        if (Character.getType(point) == Character.SURROGATE) {
            // Half a character. Go's texts have none.
            return REPLACEMENT;
        }
        return String.format(Locale.ROOT, point < 0x80 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x", point);
    }
}
