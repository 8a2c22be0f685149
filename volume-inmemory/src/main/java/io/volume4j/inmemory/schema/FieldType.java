package io.volume4j.inmemory.schema;

/**
 * The type of a field.
 *
 * @param shape whether the field contains one value, a list, or a map with any keys
 * @param name of the values' type: of an object such as {@code PodSpec}, or of a plain value such as {@code int}
 */
public record FieldType(Shape shape, String name, boolean required) {
    /** The number of values in a field. */
    public enum Shape {
        ONE,
        LIST,
        MAP
    }

    /** @param text in the syntax of the table: {@code int}, {@code [string]}, <code>{quantity}</code> */
    static FieldType parse(String text, boolean required) {
        Shape shape = switch (text.charAt(0)) {
            case '[' -> Shape.LIST;
            case '{' -> Shape.MAP;
            default -> Shape.ONE;
        };
        return new FieldType(
                shape,
                shape == Shape.ONE ? text : text.substring(1, text.length() - 1).strip(),
                required);
    }

    /** The type of one of the values of a list or a map. */
    FieldType element() {
        return new FieldType(Shape.ONE, name, false);
    }
}
