package io.volume4j.examples.agent.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads lines of bounded length from a stream that may end within a line. Belongs to one thread. */
final class LineReader {
    private final InputStream stream;
    private final int longest;
    private final byte[] buffer = new byte[8192];
    private int from;
    private int to;

    LineReader(InputStream stream, int longest) {
        this.stream = stream;
        this.longest = longest;
    }

    /**
     * The next line without its line end; null at the end of the stream. Drops an incomplete last line.
     *
     * @throws IOException also if the line is too long
     */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            for (int i = from; i < to; i++) {
                if (buffer[i] == '\n') {
                    line.write(buffer, from, i - from);
                    from = i + 1;
                    return line.toByteArray();
                }
            }
            line.write(buffer, from, to - from);
            if (line.size() > longest) {
                throw new IOException("a line of more than " + longest + " bytes");
            }
            from = 0;
            to = Math.max(0, stream.read(buffer));
            if (to == 0) {
                return null;
            }
        }
    }
}
