package io.volume4j.core.plugins.common;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Texts by name as one JSON object, for plugins' files. Pure. */
public final class JsonFields {
    private static final JsonMapper JSON = new JsonMapper();

    private JsonFields() {}

    public static String write(Map<String, String> fields) {
        try {
            return JSON.writeValueAsString(fields);
        } catch (JacksonException e) {
            throw new IllegalStateException("a map of texts cannot be written", e);
        }
    }

    /** Parses a result of {@link #write}; empty for anything else. */
    public static Optional<Map<String, String>> read(byte[] text) {
        try {
            Map<String, String> found = new TreeMap<>();
            JSON.readTree(new String(text, StandardCharsets.UTF_8))
                    .properties()
                    .forEach(each -> found.put(each.getKey(), each.getValue().asText()));
            return Optional.of(found);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
