package io.volume4j.csi.driver.options;

import java.util.Locale;

/**
 * Sizes in the notation that users write.
 *
 * @since 0.1.0
 */
public final class Bytes {
    private static final String UNITS = "KMGT";

    private Bytes() {}

    /**
     * Reads {@code 4096}, {@code 64Mi} or {@code 64MiB}: powers of 1024.
     *
     * @throws IllegalArgumentException for any other text, or if the size is negative or too large
     */
    public static long parse(String text) {
        String number = text.strip();
        int shift = 0;
        if (number.endsWith("B")) {
            number = number.substring(0, number.length() - 1);
        }
        if (number.endsWith("i") && number.length() > 1) {
            int unit = UNITS.indexOf(number.toUpperCase(Locale.ROOT).charAt(number.length() - 2));
            if (unit >= 0) {
                shift = 10 * (unit + 1);
                number = number.substring(0, number.length() - 2);
            }
        }
        try {
            long value = Long.parseLong(number);
            if (value >= 0 && value <= Long.MAX_VALUE >> shift) {
                return value << shift;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, with every other invalid size
        }
        throw new IllegalArgumentException("not a size, expected something like 64Mi: \"" + text + "\"");
    }

    /** The size with the largest unit that divides it. */
    public static String format(long bytes) {
        int unit = 0;
        long rest = bytes;
        while (rest != 0 && rest % 1024 == 0 && unit < UNITS.length()) {
            rest /= 1024;
            unit++;
        }
        return unit == 0 ? Long.toString(rest) : rest + UNITS.substring(unit - 1, unit) + "i";
    }
}
