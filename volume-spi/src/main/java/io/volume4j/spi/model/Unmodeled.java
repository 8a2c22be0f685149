package io.volume4j.spi.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The document from which an object was read. The library keeps it so that a write preserves fields that no record
 * models. The document is a tree of {@code Map<String, Object>}, {@code List<Object>}, {@code String},
 * {@code Number}, {@code Boolean} and null. The program that read the object must not change the tree afterwards.
 *
 * @since 0.1.0
 */
public record Unmodeled(Map<String, @Nullable Object> document) {
    private static final Unmodeled NONE = new Unmodeled(Map.of());

    public Unmodeled {
        document = Copies.map(document);
    }

    /** The value for an object that was built in code: an empty document. */
    public static Unmodeled none() {
        return NONE;
    }

    /** Contains only the size, because a manifest may contain secrets. */
    @Override
    public String toString() {
        return "Unmodeled[" + document.size() + " keys]";
    }
}
