package io.volume4j.core.linux.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads a tool's output without waiting for more. Keeps the last part, where tools print errors. */
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

    /** Reads all available output. Returns whether there was any. */
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
            // The tool closed its output.
            return false;
        }
    }

    /** Reads the remaining output of a tool that has ended. Ignores later output of its children. */
    void drainToEnd() {
        for (int i = 0; i < KEPT / buffer.length * 2; i++) {
            drain();
        }
    }

    /** Whether the tool printed more than was kept. */
    boolean wasCut() {
        return total > KEPT;
    }

    /** The kept output. */
    String text() {
        int length = (int) Math.min(total, KEPT);
        byte[] inOrder = new byte[length];
        for (int i = 0; i < length; i++) {
            inOrder[i] = kept[(int) ((total - length + i) % KEPT)];
        }
        return new String(inOrder, StandardCharsets.UTF_8);
    }

    /** The end of the text on one line without control characters, for messages. */
    public static String shown(String text) {
        String line = text.strip().replaceAll("\\s*\\R\\s*", " | ").replaceAll("\\p{Cntrl}", "");
        return line.length() <= SHOWN ? line : "…" + line.substring(line.length() - SHOWN);
    }
}
