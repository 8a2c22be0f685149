package io.volume4j.core.migration;

import io.volume4j.spi.model.OtherSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a source, as in manifests. */
final class Fields {
    private Fields() {}

    static String text(OtherSource source, String field) {
        @Nullable Object value = source.fields().get(field);
        return value instanceof String text ? text : "";
    }

    static boolean flag(OtherSource source, String field) {
        return Boolean.TRUE.equals(source.fields().get(field));
    }

    static long number(OtherSource source, String field) {
        return source.fields().get(field) instanceof Number number ? number.longValue() : 0;
    }

    /** Builds a source. Omits fields that are empty, zero or false. */
    static final class Building {
        private final String type;
        private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

        Building(String type) {
            this.type = type;
        }

        Building text(String field, String value) {
            if (!value.isEmpty()) {
                fields.put(field, value);
            }
            return this;
        }

        Building flag(String field, boolean value) {
            if (value) {
                fields.put(field, true);
            }
            return this;
        }

        /** A number that is text in an attribute. Omits other text. */
        Building number(String field, String value) {
            if (value.matches("[1-9][0-9]{0,8}")) {
                fields.put(field, Long.parseLong(value));
            }
            return this;
        }

        OtherSource build() {
            return new OtherSource(type, fields);
        }
    }
}
