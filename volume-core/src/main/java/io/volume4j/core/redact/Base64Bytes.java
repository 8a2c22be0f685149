package io.volume4j.core.redact;

/**
 * Bytes in base64 (RFC 4648, sections 4 and 5). A value may start at any byte of the encoded data, like the password
 * in {@code user:password}, and the text may be cut. So each run of base64 characters is decoded from each of four
 * starts.
 */
final class Base64Bytes {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    /** Encodes four bytes, the shortest value that is searched in base64. */
    private static final int SHORTEST_RUN = 6;

    private static final int STARTS = 4;

    private Base64Bytes() {}

    static Reading decode(Reading in) {
        Reading.Builder out = new Reading.Builder(in.size(), true);
        int at = 0;
        while (at < in.size()) {
            int end = at;
            while (end < in.size() && value(in.charAt(end)) >= 0) {
                end++;
            }
            if (end - at >= SHORTEST_RUN) {
                for (int start = at; start < at + STARTS; start++) {
                    decode(in, start, end, out);
                    out.add(0, in.from(at), in.from(at));
                }
            }
            at = end + 1;
        }
        return out.build();
    }

    private static void decode(Reading in, int start, int end, Reading.Builder out) {
        int bits = 0;
        int count = 0;
        for (int i = start; i < end; i++) {
            bits = bits << 6 | value(in.charAt(i));
            count += 6;
            if (count >= 8) {
                count -= 8;
                // A byte has bits of this character and the one before.
                out.add(bits >> count, in.from(i - 1), in.to(i));
            }
        }
    }

    private static int value(char c) {
        return switch (c) {
            case '-' -> 62;
            case '_' -> 63;
            default -> ALPHABET.indexOf(c);
        };
    }
}
