package io.volume4j.core.linux.sys;

import java.util.Arrays;

/** A name in a directory, as bytes. It need not be valid text in any encoding. */
public final class RawName {
    private final byte[] terminated;

    private RawName(byte[] terminated) {
        this.terminated = terminated;
    }

    /** The bytes from one index to another. The final zero is at the second index. */
    public static RawName of(byte[] buffer, int from, int to) {
        return new RawName(Arrays.copyOfRange(buffer, from, to + 1));
    }

    /** The bytes with the final zero. */
    byte[] terminated() {
        return terminated;
    }

    /** The name as text, with octal escapes for other bytes. */
    @Override
    public String toString() {
        return PathText.text(terminated, 0, terminated.length - 1);
    }
}
