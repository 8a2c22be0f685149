package io.volume4j.spi.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Immutable copies with the same order in every JVM, unlike {@code Map.copyOf}. */
final class Copies {
    private Copies() {}

    static <V> Map<String, V> map(@Nullable Map<String, ? extends V> source) {
        if (source == null || source.isEmpty()) {
            return Collections.emptyMap();
        }
        return source instanceof CopiedMap<?> copied ? same(copied) : CopiedMap.of(source);
    }

    static <T> List<T> list(@Nullable List<? extends T> source) {
        if (source == null || source.isEmpty()) {
            return Collections.emptyList();
        }
        return source instanceof CopiedList<?> copied ? same(copied) : CopiedList.of(source);
    }

    @SuppressWarnings("unchecked") // nothing can be added, so a map of a subtype is safe
    private static <V> Map<String, V> same(CopiedMap<?> copied) {
        return (Map<String, V>) copied;
    }

    @SuppressWarnings("unchecked") // the same
    private static <T> List<T> same(CopiedList<?> copied) {
        return (List<T>) copied;
    }

    static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
