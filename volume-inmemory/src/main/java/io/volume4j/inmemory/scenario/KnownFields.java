package io.volume4j.inmemory.scenario;

import io.volume4j.spi.model.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields that objects of Kubernetes have, whether the library uses them or not. The codec keeps what it does not know;
 * a scenario refuses it, since a misspelt field would be an absent one. Immutable.
 */
final class KnownFields {
    private static final KnownFields KUBERNETES = load("kubernetes-fields.txt");

    /** A type of which nothing is known below. */
    private static final String ANYTHING = "*";

    /** The type of a field that holds no fields. */
    private static final String SCALAR = "";

    private final Map<String, Map<String, String>> types;

    private KnownFields(Map<String, Map<String, String>> types) {
        this.types = Collections.unmodifiableMap(types);
    }

    private static KnownFields load(String name) {
        Map<String, Map<String, String>> types = new HashMap<>();
        try (InputStream stream =
                        Objects.requireNonNull(KnownFields.class.getResourceAsStream(name), "resource " + name);
                BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.startsWith("#")) {
                    int end = line.indexOf(':');
                    types.put(line.substring(0, end), fields(line.substring(end + 2)));
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the resource " + name + " cannot be read", unreadable);
        }
        return new KnownFields(types);
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : text.split(" ", -1)) {
            int equals = field.indexOf('=');
            if (equals < 0) {
                fields.put(field, SCALAR);
            } else {
                fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return fields;
    }

    /**
     * Refuses fields that objects of the kind do not have.
     *
     * @param object complete or partial
     * @throws ScenarioException at the first such field, with the nearest name that there is
     */
    static void check(Kind kind, Value object) {
        KUBERNETES.check(kind.apiName(), kind.apiName(), object);
    }

    /**
     * Refuses a path that leads to no field of objects of the kind, and fields below it that are none.
     *
     * @param path the parts of the path
     * @param where the key that holds the path
     * @param value what the field is set to
     */
    static void check(Kind kind, List<String> path, Value where, Value value) {
        String type = kind.apiName();
        for (String part : path) {
            type = KUBERNETES.below(type, kind.apiName(), part, where);
        }
        KUBERNETES.check(type, kind.apiName(), value);
    }

    private void check(String type, String kind, Value value) {
        if (value.isList()) {
            value.items().forEach(item -> check(type, kind, item));
        } else if (value.isMap()) {
            value.fields().forEach((key, field) -> check(below(type, kind, key, value.key(key)), kind, field));
        }
    }

    /** The type of the field of that name. */
    private String below(String type, String kind, String name, Value where) {
        if (type.equals(ANYTHING) || type.equals(SCALAR)) {
            // The codec says what is wrong if a field that holds one value has fields.
            return ANYTHING;
        }
        if (type.startsWith("{")) {
            return type.substring(1, type.length() - 1);
        }
        @Nullable Map<String, String> fields = types.get(type);
        if (fields == null) {
            throw new IllegalStateException("the list of known fields has no type " + type);
        }
        @Nullable String found = fields.get(name);
        if (found == null) {
            throw where.error("no field of a " + (type.equals(kind) ? kind : kind + " in a " + type) + " is called \""
                    + name + "\"" + Nearest.hint(name, fields.keySet()));
        }
        return found;
    }
}
