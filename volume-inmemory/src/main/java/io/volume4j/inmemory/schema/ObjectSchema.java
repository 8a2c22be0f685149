package io.volume4j.inmemory.schema;

import io.volume4j.spi.model.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of Kubernetes' objects, whether the library uses them or not. Immutable. */
public final class ObjectSchema {
    private static final ObjectSchema KUBERNETES = load("kubernetes-fields.txt");

    private final Map<String, Map<String, FieldType>> types;

    private ObjectSchema(Map<String, Map<String, FieldType>> types) {
        this.types = Collections.unmodifiableMap(types);
    }

    /** The schema of Kubernetes, and of the CRDs of snapshots, populators and grants. */
    public static ObjectSchema kubernetes() {
        return KUBERNETES;
    }

    private static ObjectSchema load(String name) {
        Map<String, Map<String, FieldType>> types = new HashMap<>();
        try (InputStream stream =
                        Objects.requireNonNull(ObjectSchema.class.getResourceAsStream(name), "resource " + name);
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
        return new ObjectSchema(types);
    }

    private static Map<String, FieldType> fields(String text) {
        Map<String, FieldType> fields = new LinkedHashMap<>();
        for (String field : text.split(" ", -1)) {
            int equals = field.indexOf('=');
            String name = equals < 0 ? field : field.substring(0, equals);
            String type = equals < 0 ? "string" : field.substring(equals + 1);
            boolean required = name.endsWith("!");
            fields.put(required ? name.substring(0, name.length() - 1) : name, FieldType.parse(type, required));
        }
        return Collections.unmodifiableMap(fields);
    }

    /** The fields of the type; null for values without fields. */
    public @Nullable Map<String, FieldType> fieldsOf(String type) {
        Map<String, FieldType> fields = types.get(type);
        if (fields == null && !PlainValues.known(type)) {
            throw new IllegalStateException("the table of fields has no type " + type);
        }
        return fields;
    }

    /**
     * The problems that a server would refuse: unknown fields, values of another type, and missing required fields. Each is one
     * line that begins with the path of the field; empty if there are none.
     *
     * @param object its whole manifest
     */
    public List<String> problems(Kind kind, Map<?, ?> object) {
        return problems(kind, object, Map.of());
    }

    /**
     * The same, but without what lies in values that the object held before: in the very same lists and maps, not in equal ones.
     *
     * @param before the manifest from which the object was made by changes
     */
    public List<String> problems(Kind kind, Map<?, ?> object, Map<?, ?> before) {
        List<String> problems = new ArrayList<>();
        check(new FieldType(FieldType.Shape.ONE, kind.apiName(), false), null, object, before, problems);
        return problems;
    }

    private void check(
            FieldType type,
            @Nullable FieldPath path,
            @Nullable Object value,
            @Nullable Object before,
            List<String> problems) {
        if (value == null || value == before) {
            return;
        }
        switch (type.shape()) {
            case LIST -> {
                if (value instanceof List<?> list) {
                    FieldType element = type.element();
                    for (int i = 0; i < list.size(); i++) {
                        check(element, new FieldPath(path, i, true), list.get(i), null, problems);
                    }
                } else {
                    problems.add(path + ": is a list, not " + shown(value));
                }
            }
            case MAP -> {
                if (value instanceof Map<?, ?> map) {
                    FieldType element = type.element();
                    Map<?, ?> earlier = fieldsOf(before);
                    map.forEach((key, inner) ->
                            check(element, new FieldPath(path, key, true), inner, earlier.get(key), problems));
                } else {
                    problems.add(path + ": is a map, not " + shown(value));
                }
            }
            case ONE -> checkOne(type.name(), path, value, before, problems);
        }
    }

    private void checkOne(
            String type, @Nullable FieldPath path, Object value, @Nullable Object before, List<String> problems) {
        Map<String, FieldType> fields = fieldsOf(type);
        if (fields == null) {
            if (!PlainValues.fits(type, value)) {
                problems.add(path + ": is of type " + type + ", not " + shown(value));
            }
        } else if (value instanceof Map<?, ?> map) {
            Map<?, ?> earlier = fieldsOf(before);
            map.forEach((key, inner) -> {
                @Nullable Object was = earlier.get(key);
                if (inner != null && inner == was) {
                    return;
                }
                FieldType field = fields.get(String.valueOf(key));
                FieldPath deeper = new FieldPath(path, key, false);
                if (field == null) {
                    problems.add(deeper + ": a " + type + " has no such field");
                } else {
                    check(field, deeper, inner, was, problems);
                }
            });
            fields.forEach((name, field) -> {
                if (field.required() && map.get(name) == null) {
                    problems.add(new FieldPath(path, name, false) + ": is required");
                }
            });
        } else {
            problems.add(path + ": is a " + type + ", not " + shown(value));
        }
    }

    private static Map<?, ?> fieldsOf(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    /** Shows the type of a map or list, because its value may be long. */
    private static String shown(Object value) {
        if (value instanceof String text) {
            return "\"" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "\"";
        }
        return value instanceof Map ? "a map" : value instanceof List ? "a list" : String.valueOf(value);
    }
}
