package io.volume4j.core.redact;

/** Parses numbers with a fixed number of digits. */
final class Digits {
    private Digits() {}

    /** The number with these digits; -1 if a character is not a digit, or if the number exceeds an {@code int}. */
    static int number(Reading in, int start, int digits, int radix) {
        if (start + digits > in.size()) {
            return -1;
        }
        long value = 0;
        for (int i = start; i < start + digits; i++) {
            int digit = digit(in.charAt(i), radix);
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value > Integer.MAX_VALUE ? -1 : (int) value;
    }

    /** The value of an ASCII digit; -1 for any other character. */
    static int digit(char c, int radix) {
        return c < 128 ? Character.digit(c, radix) : -1;
    }
}
