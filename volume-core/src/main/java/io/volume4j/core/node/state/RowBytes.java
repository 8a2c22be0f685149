package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;
import java.io.UTFDataFormatException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;

/**
 * The bytes of a row under construction, in the encodings of {@link java.io.DataOutput}. Every step writes two rows,
 * nearly all ASCII, so speed matters. Not thread-safe.
 */
final class RowBytes {
    private static final int MOST_BYTES = 0xFFFF;

    private byte[] bytes;
    private int length;

    /** @param expected the expected size in bytes; another size costs a copy */
    RowBytes(int expected) {
        bytes = new byte[expected];
    }

    RowBytes u8(int value) {
        room(1);
        bytes[length++] = (byte) value;
        return this;
    }

    RowBytes flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    RowBytes u16(int value) {
        room(2);
        bytes[length++] = (byte) (value >>> 8);
        bytes[length++] = (byte) value;
        return this;
    }

    RowBytes i32(int value) {
        return u16(value >>> 16).u16(value);
    }

    RowBytes i64(long value) {
        return i32((int) (value >>> 32)).i32((int) value);
    }

    /** Writes the length, then modified UTF-8. */
    RowBytes text(String text) {
        int chars = text.length();
        room(2 + chars);
        int at = length + 2;
        for (int i = 0; i < chars; i++) {
            char c = text.charAt(i);
            if (c == 0 || c > 0x7F) {
                return longText(text);
            }
            bytes[at++] = (byte) c;
        }
        return textBytes(at - length - 2);
    }

    private RowBytes longText(String text) {
        room(2 + 3 * text.length());
        int at = length + 2;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != 0 && c <= 0x7F) {
                bytes[at++] = (byte) c;
            } else if (c <= 0x7FF) {
                bytes[at++] = (byte) (0xC0 | (c >> 6));
                bytes[at++] = (byte) (0x80 | (c & 0x3F));
            } else {
                bytes[at++] = (byte) (0xE0 | (c >> 12));
                bytes[at++] = (byte) (0x80 | ((c >> 6) & 0x3F));
                bytes[at++] = (byte) (0x80 | (c & 0x3F));
            }
        }
        return textBytes(at - length - 2);
    }

    private RowBytes textBytes(int written) {
        if (written > MOST_BYTES) {
            UTFDataFormatException tooLong = new UTFDataFormatException(written + " bytes of text");
            throw new UncheckedIOException("a row cannot be written: " + tooLong.getMessage(), tooLong);
        }
        u16(written);
        length += written;
        return this;
    }

    RowBytes id(VolumeId id) {
        return text(id.plugin()).text(id.name()).text(id.podUid());
    }

    RowBytes map(Map<String, String> map) {
        u16(map.size());
        if (!map.isEmpty()) {
            map.forEach((key, value) -> text(key).text(value));
        }
        return this;
    }

    RowBytes state(PluginState state) {
        return i32(state.version()).map(state.values());
    }

    /** The bytes. The caller must write nothing afterwards. */
    byte[] done() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
