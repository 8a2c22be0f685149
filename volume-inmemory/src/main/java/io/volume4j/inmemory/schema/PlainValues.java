package io.volume4j.inmemory.schema;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The types of values without fields. */
final class PlainValues {
    private static final Set<String> NAMES =
            Set.of("string", "int", "bool", "quantity", "time", "microtime", "base64", "intorstring", "map");

    private static final Pattern QUANTITY =
            Pattern.compile("[+-]?([0-9]+|[0-9]+\\.[0-9]*|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?");

    /** A server accepts exactly six digits of a second. */
    private static final Pattern MICROS = Pattern.compile(".*:[0-9]{2}\\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})");

    private PlainValues() {}

    static boolean known(String type) {
        return NAMES.contains(type);
    }

    static boolean fits(String type, Object value) {
        return switch (type) {
            case "string" -> value instanceof String;
            case "int" -> isInteger(value);
            case "bool" -> value instanceof Boolean;
            case "quantity" ->
                value instanceof Number
                        || (value instanceof String text
                                && QUANTITY.matcher(text).matches());
            case "time" -> value instanceof String text && isTime(text);
            case "microtime" ->
                value instanceof String text
                        && isTime(text)
                        && MICROS.matcher(text).matches();
            case "base64" -> value instanceof String text && isBase64(text);
            case "intorstring" -> value instanceof String || isInteger(value);
            case "map" -> value instanceof Map;
            default -> throw new IllegalStateException("the table of fields has no type " + type);
        };
    }

    private static boolean isInteger(@Nullable Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof BigInteger;
    }

    private static boolean isTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeException noTime) {
            return false;
        }
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }
}
