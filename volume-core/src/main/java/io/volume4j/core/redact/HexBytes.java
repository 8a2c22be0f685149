package io.volume4j.core.redact;

import org.jspecify.annotations.Nullable;

/** Bytes as pairs of hexadecimal digits, as in {@code 73656372}, {@code 73:65:63:72} or {@code 0x73, 0x65}. */
final class HexBytes {
    private static final int SHORTEST_RUN = 4;

    private HexBytes() {}

    static Reading decode(Reading in) {
        Reading.Builder out = new Reading.Builder(in.size() / 2, true);
        int at = 0;
        while (at < in.size()) {
            int end = run(in, at, null);
            if (end - at >= 2 * SHORTEST_RUN) {
                // A cut text may start with the second digit of a pair.
                for (int start = at; start < at + 2; start++) {
                    run(in, start, out);
                    out.add(0, in.from(at), in.from(at));
                }
            }
            at = Math.max(end, at + 1);
        }
        return out.build();
    }

    /** Reads consecutive pairs. Returns the index after the last one. */
    private static int run(Reading in, int start, Reading.@Nullable Builder out) {
        int at = start;
        int end = start;
        int value;
        while ((value = Digits.number(in, at, 2, 16)) >= 0) {
            if (out != null) {
                out.add(value, in.from(at), in.to(at + 1));
            }
            end = at + 2;
            at = behindSeparator(in, end);
        }
        return end;
    }

    private static int behindSeparator(Reading in, int start) {
        int at = start;
        while (at < in.size() && at < start + 2 && " :,-".indexOf(in.charAt(at)) >= 0) {
            at++;
        }
        char first = in.charAt(at);
        boolean prefix = (first == '0' || first == '\\') && in.charAt(at + 1) == 'x';
        return prefix ? at + 2 : at;
    }
}
