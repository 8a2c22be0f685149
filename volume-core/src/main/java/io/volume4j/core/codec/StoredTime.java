package io.volume4j.core.codec;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** A fast parser for times in the form of all stores, {@code 2026-01-31T12:00:00Z}. */
final class StoredTime {
    private static final String FORM = "0000-00-00T00:00:00Z";

    private StoredTime() {}

    /** The time, null if the text has another form. */
    static @Nullable Instant parse(String text) {
        if (text.length() != FORM.length()) {
            return null;
        }
        for (int i = 0; i < FORM.length(); i++) {
            char wanted = FORM.charAt(i);
            char found = text.charAt(i);
            if (wanted == '0' ? found < '0' || found > '9' : found != wanted) {
                return null;
            }
        }
        try {
            return LocalDateTime.of(
                            number(text, 0, 4),
                            number(text, 5, 7),
                            number(text, 8, 10),
                            number(text, 11, 13),
                            number(text, 14, 16),
                            number(text, 17, 19))
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException noSuchDay) {
            return null;
        }
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }
}
