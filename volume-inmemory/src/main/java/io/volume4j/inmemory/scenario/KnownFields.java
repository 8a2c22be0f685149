package io.volume4j.inmemory.scenario;

import io.volume4j.inmemory.schema.FieldType;
import io.volume4j.inmemory.schema.FieldType.Shape;
import io.volume4j.inmemory.schema.ObjectSchema;
import io.volume4j.spi.model.Kind;
import java.util.List;
import java.util.Map;

/**
 * Refuses what objects of Kubernetes do not have. The codec keeps what it does not know; a scenario refuses it, since a
 * misspelt field would be an absent one.
 */
final class KnownFields {
    private static final ObjectSchema SCHEMA = ObjectSchema.kubernetes();

    /** The type of what has no fields; the codec says what is wrong if such a value has some. */
    private static final FieldType PLAIN = new FieldType(Shape.ONE, "map", false);

    private KnownFields() {}

    /**
     * Refuses fields that objects of the kind do not have.
     *
     * @param object complete or partial
     * @throws ScenarioException at the first such field, with the nearest name that there is
     */
    static void check(Kind kind, Value object) {
        check(typeOf(kind), kind.apiName(), object);
    }

    /**
     * Refuses a path that leads to no field of objects of the kind, and fields below it that are none.
     *
     * @param path the parts of the path
     * @param where the key that holds the path
     * @param value what the field is set to
     */
    static void check(Kind kind, List<String> path, Value where, Value value) {
        FieldType type = typeOf(kind);
        for (String part : path) {
            type = below(type, kind.apiName(), part, where);
        }
        check(type, kind.apiName(), value);
    }

    private static FieldType typeOf(Kind kind) {
        return new FieldType(Shape.ONE, kind.apiName(), false);
    }

    private static void check(FieldType type, String kind, Value value) {
        if (value.isList()) {
            value.items().forEach(item -> check(type, kind, item));
        } else if (value.isMap()) {
            value.fields().forEach((key, field) -> check(below(type, kind, key, value.key(key)), kind, field));
        }
    }

    /** The type of the field of that name. */
    private static FieldType below(FieldType type, String kind, String name, Value where) {
        if (type.shape() == Shape.MAP) {
            return new FieldType(Shape.ONE, type.name(), false);
        }
        Map<String, FieldType> fields = SCHEMA.fieldsOf(type.name());
        if (fields == null) {
            return PLAIN;
        }
        FieldType found = fields.get(name);
        if (found == null) {
            boolean top = type.name().equals(kind);
            throw where.error("no field of a " + (top ? kind : kind + " in a " + type.name()) + " is called \"" + name
                    + "\"" + Nearest.hint(name, fields.keySet()));
        }
        return found;
    }
}
