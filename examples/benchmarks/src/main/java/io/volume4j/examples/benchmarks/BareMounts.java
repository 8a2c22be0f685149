package io.volume4j.examples.benchmarks;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** The two system calls by path with nothing around them, as the least that a bind mount can cost from a JVM. */
final class BareMounts {
    private static final long MS_BIND = 4096;
    private static final byte[] NONE = {0};

    private final byte[] source;
    private final byte[] target;

    static {
        Native.register(BareMounts.class, NativeLibrary.getProcess());
    }

    BareMounts(Path source, Path target) {
        this.source = bytes(source);
        this.target = bytes(target);
    }

    void bindAndUnmount() {
        mount(source, target, NONE, MS_BIND, NONE);
        umount2(target, 0);
    }

    private static byte[] bytes(Path path) {
        byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, text.length + 1);
    }

    private static native int mount(byte[] source, byte[] target, byte[] type, long flags, byte[] data)
            throws LastErrorException;

    private static native int umount2(byte[] target, int flags) throws LastErrorException;
}
