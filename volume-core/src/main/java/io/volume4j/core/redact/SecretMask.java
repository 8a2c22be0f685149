package io.volume4j.core.redact;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Hides secret values in a text. It searches for the exact values, not for texts that resemble a secret. It decodes
 * the text in every encoding that programs commonly use when they repeat an input: quotes and escapes of JSON, Go, C
 * and shells, percent-encoding, XML entities, base64, hexadecimal and decimal bytes, and two encodings on top of each
 * other. The spelling of an encoding does not matter: {@code %2f} and {@code %2F} are equal.
 *
 * <p>It also hides parts of a value, because programs cut long texts:
 *
 * <ul>
 * <li>its first or last 8 bytes and more, and those of each of its lines;
 * <li>any 16 bytes of it and more.
 * </ul>
 *
 * <p>It hides a value of less than 8 bytes only as a whole. It hides a value of less than 4 bytes only as a separate
 * word; otherwise every text would become unreadable. Blank values hide nothing. Immutable.
 */
public final class SecretMask {
    /** The replacement for a secret. */
    public static final String HIDDEN = "***";

    /** Longer texts are cut before they are searched. Far more than a log line or an event shows. */
    static final int MAX_TEXT = 16 * 1024;

    private final List<byte[]> values;

    private SecretMask(List<byte[]> values) {
        this.values = values;
    }

    /** A mask for these values. */
    public static SecretMask of(Collection<String> secrets) {
        Set<String> different = new LinkedHashSet<>();
        for (String secret : secrets) {
            if (!secret.isBlank()) {
                different.add(secret);
                different.add(secret.strip());
            }
        }
        List<byte[]> values = new ArrayList<>();
        different.forEach(value -> values.add(value.getBytes(StandardCharsets.UTF_8)));
        return new SecretMask(values);
    }

    /** Whether it hides nothing. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The text without the values; the same text if it contains none. */
    public String hide(String text) {
        if (values.isEmpty() || text.isEmpty()) {
            return text;
        }
        String searched = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
        BitSet secret = new BitSet(searched.length());
        ValueSearch search = new ValueSearch(Encodings.readings(searched));
        values.forEach(value -> search.mark(value, secret));
        return secret.isEmpty() ? searched : masked(searched, secret);
    }

    private static String masked(String text, BitSet secret) {
        StringBuilder clean = new StringBuilder(text.length());
        int from = 0;
        for (int start = secret.nextSetBit(0); start >= 0; start = secret.nextSetBit(from)) {
            clean.append(text, from, start).append(HIDDEN);
            from = secret.nextClearBit(start);
        }
        return clean.append(text, from, text.length()).toString();
    }
}
