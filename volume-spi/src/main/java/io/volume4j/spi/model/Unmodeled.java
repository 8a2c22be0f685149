package io.volume4j.spi.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The document that an object was read from, kept so that fields which no record models survive a write. A tree of
 * {@code Map<String, Object>}, {@code List<Object>}, {@code String}, {@code Number}, {@code Boolean} and null; the
 * reader guarantees that it is never changed afterwards.
 *
 * @since 0.1.0
 */
public record Unmodeled(Map<String, @Nullable Object> document) {
    private static final Unmodeled NONE = new Unmodeled(Map.of());

    public Unmodeled {
        document = Copies.map(document);
    }

    /** Of an object that was built in code. */
    public static Unmodeled none() {
        return NONE;
    }

    /** A manifest may hold anything, secrets too: only the size is shown. */
    @Override
    public String toString() {
        return "Unmodeled[" + document.size() + " keys]";
    }
}
