package io.volume4j.core.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.plugin.Places;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes {@link Places} as JSON: a list of objects, each with the segments of one place. Pure.
 *
 * @since 0.1.0
 */
public final class PlacesText {
    /**
     * Annotation of a VolumeSnapshotContent: the places from which volumes that are created from it are accessible.
     * Without it, they are accessible from everywhere.
     */
    public static final String ANNOTATION = "volume4j.io/accessible-topology";

    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private PlacesText() {}

    public static String write(Places places) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        for (Map<String, String> place : places.any()) {
            ObjectNode segments = all.addObject();
            place.forEach(segments::put);
        }
        return all.toString();
    }

    /** @throws IllegalArgumentException if the text is not valid */
    public static Places read(String text) {
        try {
            return read(JSON.readTree(text));
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("not JSON: " + notJson.getOriginalMessage(), notJson);
        }
    }

    private static Places read(JsonNode all) {
        if (!all.isArray()) {
            throw new IllegalArgumentException("not a list of places");
        }
        List<Map<String, String>> places = new ArrayList<>();
        for (JsonNode each : all) {
            Map<String, String> segments = new LinkedHashMap<>();
            each.properties().forEach(segment -> {
                if (!segment.getValue().isTextual()) {
                    throw new IllegalArgumentException("segment " + segment.getKey() + " is not a text");
                }
                segments.put(segment.getKey(), segment.getValue().asText());
            });
            if (segments.isEmpty()) {
                throw new IllegalArgumentException("a place without segments");
            }
            places.add(segments);
        }
        return new Places(places);
    }

    /**
     * The places in the annotation of the content.
     *
     * @throws IllegalArgumentException if the annotation is not valid
     */
    public static Places of(VolumeSnapshotContent content) {
        String text = content.metadata().annotation(ANNOTATION);
        return text.isEmpty() ? Places.everywhere() : read(text);
    }
}
