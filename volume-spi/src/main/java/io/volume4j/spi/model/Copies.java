package io.volume4j.spi.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Immutable copies that keep their order in every JVM, which {@code Map.copyOf} does not. */
final class Copies {
    private Copies() {}

    static <V> Map<String, V> map(@Nullable Map<String, ? extends V> source) {
        return source == null || source.isEmpty()
                ? Collections.emptyMap()
                : Collections.unmodifiableMap(new LinkedHashMap<>(source));
    }

    static <T> List<T> list(@Nullable List<? extends T> source) {
        return source == null || source.isEmpty()
                ? Collections.emptyList()
                : Collections.unmodifiableList(new ArrayList<>(source));
    }

    static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
