package io.volume4j.core.redact;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One decoding of a text: bytes, and for each byte the characters of the original text that encode it. Immutable after
 * its construction.
 */
final class Reading {
    private final byte[] bytes;
    private final int[] from;
    private final int[] to;
    private final int size;
    private final boolean packed;

    private Reading(Builder builder) {
        this.bytes = builder.bytes;
        this.from = builder.from;
        this.to = builder.to;
        this.size = builder.size;
        this.packed = builder.packed;
    }

    /** The text without decoding. */
    static Reading plain(String text) {
        Builder plain = new Builder(text.length(), false);
        int next;
        for (int at = 0; at < text.length(); at = next) {
            next = text.offsetByCodePoints(at, 1);
            for (byte each : text.substring(at, next).getBytes(StandardCharsets.UTF_8)) {
                plain.add(each, at, next);
            }
        }
        return plain.build();
    }

    int size() {
        return size;
    }

    byte at(int index) {
        return bytes[index];
    }

    /** The byte, or a space after the end. */
    char charAt(int index) {
        return index < size ? (char) (bytes[index] & 0xff) : ' ';
    }

    /** The start of this byte's encoding in the original text. */
    int from(int index) {
        return from[index];
    }

    /** The end of this byte's encoding in the original text, exclusive. */
    int to(int index) {
        return to[index];
    }

    /** Whether this was decoded from base64 or from numbers, so that ordinary words in the text become noise. */
    boolean packed() {
        return packed;
    }

    /** Whether both have the same bytes. */
    boolean sameAs(Reading other) {
        return size == other.size && Arrays.equals(bytes, 0, size, other.bytes, 0, size);
    }

    /** Builds the decoding of a reading. */
    static final class Builder {
        private byte[] bytes;
        private int[] from;
        private int[] to;
        private final boolean packed;
        private int size;

        Builder(int expected, boolean packed) {
            int capacity = Math.max(16, expected);
            this.bytes = new byte[capacity];
            this.from = new int[capacity];
            this.to = new int[capacity];
            this.packed = packed;
        }

        void add(int value, int start, int end) {
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, size * 2);
                from = Arrays.copyOf(from, size * 2);
                to = Arrays.copyOf(to, size * 2);
            }
            bytes[size] = (byte) value;
            from[size] = start;
            to[size] = end;
            size++;
        }

        /** Adds the bytes of this code point. The same characters encode all of them. */
        void addCodePoint(int codePoint, int start, int end) {
            for (byte each : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
                add(each, start, end);
            }
        }

        Reading build() {
            return new Reading(this);
        }
    }
}
