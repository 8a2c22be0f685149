package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Who we are. The file is read for every request, because tokens are renewed in place, and its content is kept no longer.
 *
 * @param file holds the token and nothing else
 */
record BearerToken(Path file) {
    /** RFC 6750, section 2.1. What is checked here cannot end up in the complaint of an HTTP client about a header. */
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9\\-._~+/]+=*");

    /** @throws IOException if there is no token in the file; never repeats what is in it */
    String read() throws IOException {
        String token = SmallFile.read(file).strip();
        if (!SHAPE.matcher(token).matches()) {
            throw new IOException(file + ": it holds no bearer token");
        }
        return token;
    }
}
