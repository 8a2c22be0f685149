package io.volume4j.core.codec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * A text of manifests that is safe to parse: UTF-8, of bounded size, without characters that YAML forbids.
 *
 * @param source the name of the text in messages
 */
record ManifestText(String source, String text) {
    /** The largest accepted text, in bytes: far more than any set of manifests by a user. */
    static final int MAX_BYTES = 1 << 20;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    static ManifestText of(String source, InputStream stream) throws IOException {
        byte[] bytes = stream.readNBytes(MAX_BYTES + 1);
        checkSize(source, bytes.length);
        return checked(source, decode(source, bytes));
    }

    static ManifestText of(String source, String text) {
        // A char has at most three bytes in UTF-8, or half of four.
        checkSize(source, text.length() > MAX_BYTES ? text.length() : text.getBytes(StandardCharsets.UTF_8).length);
        return checked(source, text);
    }

    private static void checkSize(String source, int bytes) {
        if (bytes > MAX_BYTES) {
            throw new ManifestException(
                    source, 0, 0, "", "", "is larger than " + MAX_BYTES + " bytes: split it into several files");
        }
    }

    private static String decode(String source, byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
        String decoded = text.flip().toString();
        if (result.isError()) {
            throw at(source, decoded, decoded.length(), "is not UTF-8 text from here on: save it as UTF-8");
        }
        return decoded;
    }

    private static ManifestText checked(String source, String text) {
        int point;
        for (int i = 0; i < text.length(); i += Character.charCount(point)) {
            point = text.codePointAt(i);
            if (!isAllowed(point)) {
                throw at(
                        source,
                        text,
                        i,
                        String.format("has the character U+%04X, which is not allowed in a manifest", point));
            }
        }
        return new ManifestText(source, withoutMarks(text));
    }

    /** Concatenated files each have a byte order mark. */
    private static String withoutMarks(String text) {
        return (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text).replace("\n" + BYTE_ORDER_MARK, "\n");
    }

    /**
     * Whether the character may appear unescaped in a text; others are written as escapes. YAML 1.1, section 5.1:
     * {@code c-printable}.
     */
    static boolean isAllowed(int point) {
        return (point >= 0x20 && point <= 0x7E)
                || point == '\n'
                || point == '\t'
                || point == '\r'
                || point == 0x85
                || (point >= 0xA0 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || point >= 0x10000;
    }

    private static ManifestException at(String source, String text, int index, String problem) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < index; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new ManifestException(source, line, index - lineStart + 1, "", "", problem);
    }

    /**
     * Whether the text begins with an object whose first key is quoted, as in JSON. YAML by users does not begin so.
     */
    boolean looksLikeJson() {
        String start = text.substring(0, Math.min(text.length(), 1024)).stripLeading();
        return start.startsWith("{") && start.substring(1).stripLeading().startsWith("\"");
    }
}
