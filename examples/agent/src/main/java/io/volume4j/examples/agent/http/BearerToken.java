package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The bearer token of the user. Each request reads the file and keeps no copy, because tokens are renewed in place.
 *
 * @param file contains only the token
 */
record BearerToken(Path file) {
    /**
     * RFC 6750, section 2.1. The check prevents that the HTTP client rejects the header with a message that contains the
     * token.
     */
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9\\-._~+/]+=*");

    /** @throws IOException if the file contains no token; the message does not contain its content */
    String read() throws IOException {
        String token = SmallFile.read(file).strip();
        if (!SHAPE.matcher(token).matches()) {
            throw new IOException(file + ": it holds no bearer token");
        }
        return token;
    }
}
