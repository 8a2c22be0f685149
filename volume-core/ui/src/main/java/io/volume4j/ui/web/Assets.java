package io.volume4j.ui.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;

/** The files of the page, from the jar. They contain no data of the host, so they need no token. */
final class Assets {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private Assets() {}

    /** One file. */
    static final class Asset {
        private final String type;
        private final byte[] bytes;

        private Asset(String type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
        }

        String type() {
            return type;
        }

        int length() {
            return bytes.length;
        }

        void writeTo(OutputStream out) throws IOException {
            out.write(bytes);
        }
    }

    /** The file of that name; empty if there is none. */
    static Optional<Asset> find(String path) throws IOException {
        String name = path.equals("/") ? "index.html" : path.substring(1);
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        // Accepts only single words as names, so that a path cannot leave the folder.
        if (type == null || !name.matches("[a-z0-9-]+\\.[a-z]+")) {
            return Optional.empty();
        }
        try (InputStream file = Assets.class.getResourceAsStream(name)) {
            return file == null ? Optional.empty() : Optional.of(new Asset(type, file.readAllBytes()));
        }
    }
}
