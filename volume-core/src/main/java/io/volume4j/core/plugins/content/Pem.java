package io.volume4j.core.plugins.content;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Parses blocks of PEM (RFC 7468). Ignores text between them. Pure. */
final class Pem {
    static final String CERTIFICATE = "CERTIFICATE";
    static final String PRIVATE_KEY = "PRIVATE KEY";

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final int LINE = 64;

    private Pem() {}

    /** One block. Never prints its bytes, which may be a key. */
    static final class Block {
        private final String label;
        private final byte[] der;

        private Block(String label, byte[] der) {
            this.label = label;
            this.der = der;
        }

        String label() {
            return label;
        }

        byte[] der() {
            return der.clone();
        }

        @Override
        public String toString() {
            return label + " of " + der.length + " bytes";
        }
    }

    /**
     * All blocks, in order, without their headers.
     *
     * @throws IllegalArgumentException if a block has no end or is not base64; the message contains no part of the
     *     text
     */
    static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        String label = "";
        StringBuilder body = new StringBuilder();
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith(BEGIN) && line.endsWith(DASHES) && line.length() >= BEGIN.length() + DASHES.length()) {
                require(label.isEmpty(), "a block begins within another");
                label = line.substring(BEGIN.length(), line.length() - DASHES.length());
                require(!label.isEmpty(), "a block has no label");
                body.setLength(0);
            } else if (!label.isEmpty() && line.startsWith(END)) {
                require(line.equals(END + label + DASHES), "a block ends as another than it began");
                blocks.add(new Block(label, decoded(body.toString())));
                label = "";
            } else if (!label.isEmpty() && line.indexOf(':') < 0) {
                body.append(line);
            }
        }
        require(label.isEmpty(), "a block has no end");
        return blocks;
    }

    static byte[] block(String label, byte[] der) {
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
        return (BEGIN + label + DASHES + "\n" + body + "\n" + END + label + DASHES + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] decoded(String body) {
        byte[] der;
        try {
            der = Base64.getDecoder().decode(body);
        } catch (IllegalArgumentException showsTheCharacter) {
            der = new byte[0];
        }
        require(der.length > 0, "a block is not base64");
        return der;
    }

    private static void require(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
