package io.volume4j.spi.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An amount in Kubernetes' notation: a decimal number with a binary suffix ({@code Ki Mi Gi Ti Pi Ei}), a decimal one
 * ({@code n u m k M G T P E}) or an exponent. Immutable; equal by value, so {@code 1Gi} equals {@code 1024Mi}.
 *
 * @since 0.1.0
 */
public final class Quantity implements Comparable<Quantity> {
    private static final Pattern FORM =
            Pattern.compile("([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))([eE][+-]?[0-9]{1,3}|[KMGTPE]i|[numkMGTPE])?");
    private static final int LONGEST = 64;
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    private final String text;
    private final BigDecimal value;

    private Quantity(String text, BigDecimal value) {
        this.text = text;
        this.value = value;
    }

    /**
     * Reads an amount.
     *
     * @throws IllegalArgumentException if the text is not an amount; the message describes the syntax
     */
    public static Quantity parse(String text) {
        @Nullable Quantity plain = plain(text);
        return plain == null ? ofAnyForm(text) : plain;
    }

    /** What nearly all amounts are, a few digits and perhaps a power of 1024; null for one of another form. */
    private static @Nullable Quantity plain(String text) {
        int digits = 0;
        long number = 0;
        while (digits < text.length() && digits < 10 && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            number = 10 * number + text.charAt(digits) - '0';
            digits++;
        }
        int power = 0;
        if (text.length() == digits + 2 && text.charAt(digits + 1) == 'i') {
            power = 10 * ("KMGTPE".indexOf(text.charAt(digits)) + 1);
        } else if (text.length() != digits) {
            return null;
        }
        boolean known = digits > 0 && (power > 0 || text.length() == digits);
        return known && number <= Long.MAX_VALUE >> power
                ? new Quantity(text, BigDecimal.valueOf(number << power))
                : null;
    }

    private static Quantity ofAnyForm(String text) {
        Matcher form = text.length() > LONGEST ? FORM.matcher("") : FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "\"" + OneLine.cut(text, LONGEST) + "\" is not a quantity: write a number with one of the suffixes"
                            + " Ki Mi Gi Ti Pi Ei (powers of 1024) or n u m k M G T P E (powers of 1000), such as 64Mi");
        }
        BigDecimal number = new BigDecimal(form.group(1));
        String suffix = form.group(2) == null ? "" : form.group(2);
        return new Quantity(text, number.multiply(factor(suffix)));
    }

    /** An amount of bytes, written with the largest binary suffix that keeps it a whole number. */
    public static Quantity ofBytes(long bytes) {
        String[] suffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
        long rest = bytes;
        int power = 0;
        while (rest != 0 && rest % 1024 == 0 && power < suffixes.length - 1) {
            rest /= 1024;
            power++;
        }
        return new Quantity(rest + suffixes[power], BigDecimal.valueOf(bytes));
    }

    /** The amount as whole bytes, rounded up. {@link Long#MAX_VALUE} or {@link Long#MIN_VALUE} if it does not fit. */
    public long bytes() {
        if (value.scale() == 0 && value.precision() < 19) {
            return value.longValue();
        }
        BigDecimal whole = value.setScale(0, RoundingMode.CEILING);
        if (whole.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            return Long.MAX_VALUE;
        }
        if (whole.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) < 0) {
            return Long.MIN_VALUE;
        }
        return whole.longValueExact();
    }

    /** The amount as whole bytes, rounded down. */
    public long wholeBytes() {
        long rounded = bytes();
        boolean up = value.scale() != 0
                && rounded != Long.MIN_VALUE
                && BigDecimal.valueOf(rounded).compareTo(value) > 0;
        return up ? rounded - 1 : rounded;
    }

    /**
     * The number of units of the other amount that are at least this amount. {@link Long#MAX_VALUE} if it does not
     * fit.
     *
     * @throws IllegalArgumentException if the other is not positive
     */
    public long dividedBy(Quantity divisor) {
        if (divisor.signum() <= 0) {
            throw new IllegalArgumentException("cannot count in units of " + divisor);
        }
        BigDecimal count = value.divide(divisor.value, 0, RoundingMode.CEILING);
        return count.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : count.longValueExact();
    }

    /** The sign of the amount: -1, 0 or 1. */
    public int signum() {
        return value.signum();
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Quantity quantity && value.compareTo(quantity.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    /** The text from which the amount was parsed. */
    @Override
    public String toString() {
        return text;
    }

    private static BigDecimal factor(String suffix) {
        if (suffix.isEmpty()) {
            return BigDecimal.ONE;
        }
        char first = suffix.charAt(0);
        if (suffix.endsWith("i")) {
            return KIBI.pow("KMGTPE".indexOf(first) + 1);
        }
        if (suffix.length() > 1 && (first == 'e' || first == 'E')) {
            return BigDecimal.ONE.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
        }
        int index = "num".indexOf(first);
        int power = index >= 0 ? -9 + 3 * index : 3 * ("KMGTPE".indexOf(suffix.toUpperCase(Locale.ROOT)) + 1);
        return BigDecimal.ONE.scaleByPowerOfTen(power);
    }
}
