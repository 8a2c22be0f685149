package io.volume4j.inmemory.scenario;

import io.volume4j.inmemory.schema.FieldType;
import io.volume4j.inmemory.schema.FieldType.Shape;
import io.volume4j.inmemory.schema.ObjectSchema;
import io.volume4j.spi.model.Kind;
import java.util.List;
import java.util.Map;

/**
 * Rejects fields that Kubernetes' objects do not have. The codec keeps unknown fields; a scenario rejects them, since a
 * misspelt field would count as absent.
 */
final class KnownFields {
    private static final ObjectSchema SCHEMA = ObjectSchema.kubernetes();

    /** The type of values without fields; the codec reports the error if such a value has fields. */
    private static final FieldType PLAIN = new FieldType(Shape.ONE, "map", false);

    private KnownFields() {}

    /**
     * Rejects fields that objects of the kind do not have.
     *
     * @param object complete or partial
     * @throws ScenarioException at the first such field, with the most similar name
     */
    static void check(Kind kind, Value object) {
        check(typeOf(kind), kind.apiName(), object);
    }

    /**
     * Rejects a path that is not a field of the kind, and unknown fields below it.
     *
     * @param path the parts of the path
     * @param where the key that contains the path
     * @param value the new value of the field
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
