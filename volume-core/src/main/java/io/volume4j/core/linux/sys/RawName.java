package io.volume4j.core.linux.sys;

import java.util.Arrays;

/** A name as a directory holds it, which need not be text in any encoding. */
public final class RawName {
    private final byte[] terminated;

    private RawName(byte[] terminated) {
        this.terminated = terminated;
    }

    /** The bytes from one index to another, at which the final zero is. */
    public static RawName of(byte[] buffer, int from, int to) {
        return new RawName(Arrays.copyOfRange(buffer, from, to + 1));
    }

    /** With the final zero. */
    byte[] terminated() {
        return terminated;
    }

    /** As text, with what is none in octal escapes. */
    @Override
    public String toString() {
        return PathText.text(terminated, 0, terminated.length - 1);
    }
}
