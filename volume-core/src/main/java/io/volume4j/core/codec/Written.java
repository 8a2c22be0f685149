package io.volume4j.core.codec;

import io.volume4j.spi.model.ApiWord;
import io.volume4j.spi.model.Quantity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The modeled fields of one object, for {@link Overlay}. Fields that are empty, zero or false are omitted. Values are
 * text, numbers, true, other {@code Written}, lists of those, and maps whose keys are all modeled.
 */
final class Written {
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final boolean partial;

    private Written(boolean partial) {
        this.partial = partial;
    }

    /** An object that is modeled completely: removing it removes its unknown fields too. */
    static Written whole() {
        return new Written(false);
    }

    /** An object of which some fields are modeled; the others stay when it is removed. */
    static Written part() {
        return new Written(true);
    }

    boolean partial() {
        return partial;
    }

    Map<String, Object> fields() {
        return fields;
    }

    Written text(String key, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            fields.put(key, value);
        }
        return this;
    }

    /** Text for which empty and absent differ; null means absent. */
    Written meaningfulText(String key, @Nullable String value) {
        if (value != null) {
            fields.put(key, value);
        }
        return this;
    }

    Written word(String key, ApiWord word) {
        return text(key, written(word));
    }

    /** Writes unknown words too: an omitted word would be read as the default. */
    private static String written(ApiWord word) {
        return word.known() ? word.apiName() : "Unknown";
    }

    Written flag(String key, boolean value) {
        if (value) {
            fields.put(key, true);
        }
        return this;
    }

    /** A flag that is written also if it is false. */
    Written answer(String key, boolean value) {
        fields.put(key, value);
        return this;
    }

    Written number(String key, @Nullable Long value) {
        if (value != null) {
            fields.put(key, value);
        }
        return this;
    }

    Written instant(String key, @Nullable Instant value) {
        return text(key, value == null ? "" : value.toString());
    }

    Written amount(String key, @Nullable Quantity value) {
        return text(key, value == null ? "" : value.toString());
    }

    Written amounts(String key, Map<String, Quantity> values) {
        Map<String, Object> texts = new LinkedHashMap<>();
        values.forEach((name, value) -> texts.put(name, value.toString()));
        return map(key, texts);
    }

    /** An object whose keys are all modeled, such as labels. */
    Written map(String key, Map<String, ?> values) {
        if (!values.isEmpty()) {
            fields.put(key, values);
        }
        return this;
    }

    /** An object whose presence has a meaning, even if it is empty. */
    Written free(String key, Map<String, ?> values) {
        fields.put(key, values);
        return this;
    }

    /** A list of text or numbers. */
    Written scalars(String key, List<?> values) {
        if (!values.isEmpty()) {
            fields.put(key, values);
        }
        return this;
    }

    Written words(String key, List<? extends ApiWord> values) {
        return scalars(key, values.stream().map(Written::written).toList());
    }

    Written object(String key, @Nullable Written value) {
        if (value != null) {
            fields.put(key, value);
        }
        return this;
    }

    /** Adds the other's fields after these. */
    Written with(Written other) {
        fields.putAll(other.fields);
        return this;
    }

    <T> Written objects(String key, List<T> values, Function<T, Written> shape) {
        if (!values.isEmpty()) {
            fields.put(key, values.stream().map(shape).toList());
        }
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Written written && fields.equals(written.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    /** Omits the values, which may be secret. */
    @Override
    public String toString() {
        return "Written" + fields.keySet();
    }
}
