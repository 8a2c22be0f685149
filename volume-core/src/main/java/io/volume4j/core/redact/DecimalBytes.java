package io.volume4j.core.redact;

/** Bytes as a list of decimal numbers, as Go prints a byte slice and Java a byte array. */
final class DecimalBytes {
    private DecimalBytes() {}

    static Reading decode(Reading in) {
        Reading.Builder out = new Reading.Builder(in.size() / 3, true);
        int at = 0;
        boolean list = false;
        while (at < in.size()) {
            int start = at;
            boolean negative = in.charAt(at) == '-';
            if (negative) {
                at++;
            }
            int value = 0;
            int digits = 0;
            for (; digits < 3 && Digits.digit(in.charAt(at), 10) >= 0; at++, digits++) {
                value = value * 10 + Digits.digit(in.charAt(at), 10);
            }
            if (digits > 0 && value < 256) {
                out.add(negative ? -value : value, in.from(start), in.to(at - 1));
                list = true;
                at = behindSeparator(in, at);
            } else {
                if (list) {
                    out.add(0, in.from(start), in.from(start));
                }
                list = false;
                at = Math.max(at, start + 1);
            }
        }
        return out.build();
    }

    private static int behindSeparator(Reading in, int start) {
        int at = start;
        while (at < in.size() && at < start + 2 && (in.charAt(at) == ' ' || in.charAt(at) == ',')) {
            at++;
        }
        return at;
    }
}
