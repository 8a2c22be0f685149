package io.volume4j.core.linux.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Takes what a tool prints without ever waiting for more, and keeps the last of it, where tools say what went wrong. */
public final class ToolOutput {
    static final int KEPT = 64 * 1024;
    private static final int SHOWN = 400;

    private final InputStream source;
    private final byte[] kept = new byte[KEPT];
    private final byte[] buffer = new byte[8 * 1024];
    private long total;

    ToolOutput(InputStream source) {
        this.source = source;
    }

    /** Reads what is there; whether it was anything. */
    boolean drain() {
        try {
            int available = source.available();
            if (available <= 0) {
                return false;
            }
            int length = source.read(buffer, 0, Math.min(available, buffer.length));
            for (int i = 0; i < length; i++) {
                kept[(int) (total++ % KEPT)] = buffer[i];
            }
            return length > 0;
        } catch (IOException e) {
            // The tool closed its end.
            return false;
        }
    }

    /** Reads the rest that a tool left which has ended; what its children may still print does not count. */
    void drainToEnd() {
        for (int i = 0; i < KEPT / buffer.length * 2; i++) {
            drain();
        }
    }

    /** Whether more was printed than was kept. */
    boolean wasCut() {
        return total > KEPT;
    }

    /** What was kept. */
    String text() {
        int length = (int) Math.min(total, KEPT);
        byte[] inOrder = new byte[length];
        for (int i = 0; i < length; i++) {
            inOrder[i] = kept[(int) ((total - length + i) % KEPT)];
        }
        return new String(inOrder, StandardCharsets.UTF_8);
    }

    /** The end of it on one line without control characters, for messages. */
    public static String shown(String text) {
        String line = text.strip().replaceAll("\\s*\\R\\s*", " | ").replaceAll("\\p{Cntrl}", "");
        return line.length() <= SHOWN ? line : "…" + line.substring(line.length() - SHOWN);
    }
}
