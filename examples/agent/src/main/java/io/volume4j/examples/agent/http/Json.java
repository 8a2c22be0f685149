package io.volume4j.examples.agent.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists and scalars, as the manifest codec reads and writes them. */
public final class Json {
    private static final TypeReference<LinkedHashMap<String, @Nullable Object>> OBJECT = new TypeReference<>() {};

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private Json() {}

    /**
     * Reads one JSON object.
     *
     * @throws IOException if the text is not a JSON object; the message contains the position and nothing of the text
     */
    public static Map<String, @Nullable Object> read(byte[] text) throws IOException {
        try {
            return MAPPER.readValue(text, OBJECT);
        } catch (JsonProcessingException wrong) {
            String place = wrong.getLocation() == null
                    ? ""
                    : " at byte " + wrong.getLocation().getByteOffset();
            throw new IOException("not a JSON object" + place);
        }
    }

    /** One line, without a line break at its end. */
    public static byte[] write(Map<String, @Nullable Object> tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalArgumentException("not a tree of maps, lists and scalars", impossible);
        }
    }

    /** The field if it is a map, else an empty one. */
    @SuppressWarnings("unchecked") // JSON has no other keys than text
    public static Map<String, @Nullable Object> map(Map<String, @Nullable Object> tree, String field) {
        return tree.get(field) instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
    }

    /** The maps of a list; an empty list if the field is not a list. */
    @SuppressWarnings("unchecked") // JSON has no other keys than text
    public static List<Map<String, @Nullable Object>> maps(Map<String, @Nullable Object> tree, String field) {
        return tree.get(field) instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .map(each -> (Map<String, @Nullable Object>) each)
                        .toList()
                : List.of();
    }

    /** The field if it is text, else {@code ""}. */
    public static String text(Map<String, @Nullable Object> tree, String field) {
        return tree.get(field) instanceof String text ? text : "";
    }
}
