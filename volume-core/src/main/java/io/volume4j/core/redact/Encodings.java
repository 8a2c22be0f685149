package io.volume4j.core.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The encodings in which programs repeat their input. Each decoder removes one layer of its encoding. */
final class Encodings {
    /** For texts: escapes and quotes. */
    private static final List<UnaryOperator<Reading>> ESCAPES = List.of(
            BackslashEscapes::decode,
            reading -> PercentEscapes.decode(reading, false),
            reading -> PercentEscapes.decode(reading, true),
            Entities::decode,
            NestedQuotes::decode);

    /** For bytes: base64 and numbers. */
    private static final List<UnaryOperator<Reading>> BYTES =
            List.of(Base64Bytes::decode, HexBytes::decode, DecimalBytes::decode);

    private static final int LAYERS = 3;
    private static final int MAX_READINGS = 48;

    private Encodings() {}

    /**
     * The text itself, and its decoding by each combination of encodings that changes it, up to three layers and at
     * most {@value #MAX_READINGS} readings.
     */
    static List<Reading> readings(String text) {
        List<Reading> all = new ArrayList<>(List.of(Reading.plain(text)));
        int from = 0;
        for (int layer = 0; layer < LAYERS && from < all.size(); layer++) {
            int to = all.size();
            for (int i = from; i < to; i++) {
                Reading outer = all.get(i);
                ESCAPES.forEach(decoder -> addNew(decoder.apply(outer), all));
                // Decoded bytes are mostly noise, which would decode to more noise without end.
                if (!outer.packed()) {
                    BYTES.forEach(decoder -> addNew(decoder.apply(outer), all));
                }
            }
            from = to;
        }
        return all;
    }

    private static void addNew(Reading inner, List<Reading> all) {
        if (all.size() < MAX_READINGS && inner.size() > 0 && all.stream().noneMatch(inner::sameAs)) {
            all.add(inner);
        }
    }
}
