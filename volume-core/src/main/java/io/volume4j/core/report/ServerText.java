package io.volume4j.core.report;

import java.nio.charset.StandardCharsets;

/** Texts of any length for fields whose length API servers limit in bytes: they refuse the whole write of a longer one. */
public final class ServerText {
    /** The limit of an event's note and of the message of an error in a VolumeAttachment. */
    public static final int MESSAGE_BYTES = 1024;

    private ServerText() {}

    /** The text as a message, cut if it is too long. The result is the same at each call, so it can be compared with what is stored. */
    public static String message(String text) {
        return cut(text, MESSAGE_BYTES);
    }

    /** The beginning of a text that has more bytes in UTF-8, with three dots at its end. */
    public static String cut(String text, int most) {
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            int size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes + size > most - 3) {
                return text.getBytes(StandardCharsets.UTF_8).length <= most ? text : text.substring(0, i) + "...";
            }
            bytes += size;
            i += Character.charCount(point);
        }
        return text;
    }
}
