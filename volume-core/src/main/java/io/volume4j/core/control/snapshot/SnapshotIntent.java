package io.volume4j.core.control.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.core.control.host.lead.Self;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The durable record that a snapshot may be being cut, an annotation of the content beside the one that Kubernetes agreed on. It
 * holds what the call depends on and the content does not say, so that a retry after a restart is the same call even if the class is
 * gone.
 *
 * @param epoch of the leader that makes the call; another one writes its own before it calls
 * @param by the process that makes the call
 * @param inherited whether another process held the intent before, so that a call of that one may still have an effect
 * @param name the name that makes the call idempotent
 * @param parameters of the class, with the names of secrets in them and no secret
 */
public record SnapshotIntent(long epoch, String by, boolean inherited, String name, Map<String, String> parameters) {
    /** On a content. */
    public static final String ANNOTATION = "volume4j.io/snapshot-intent";

    private static final JsonMapper JSON = new JsonMapper();
    private static final int VERSION = 1;

    public SnapshotIntent {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    boolean heldBy(Self self) {
        return epoch == self.epoch() && by.equals(self.process());
    }

    /** The same intent, taken over by this process: what the one before did or did not do is not known. */
    SnapshotIntent takenOver(Self self) {
        return new SnapshotIntent(self.epoch(), self.process(), true, name, parameters);
    }

    /** As the annotation says it, with the version of its format in front. */
    String text() {
        ObjectNode root = JSON.createObjectNode();
        root.put("v", VERSION);
        root.put("epoch", epoch);
        root.put("by", by);
        root.put("inherited", inherited);
        root.put("name", name);
        ObjectNode given = root.putObject("parameters");
        parameters.forEach(given::put);
        return root.toString();
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IllegalArgumentException if it is nothing of the kind, or of a version that is not known here
     */
    public static SnapshotIntent read(String text) {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("not JSON: " + notJson.getOriginalMessage(), notJson);
        }
        int version = root.path("v").asInt(0);
        if (version != VERSION) {
            throw new IllegalArgumentException("format version " + version + ", known is " + VERSION);
        }
        String name = root.path("name").asText();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("no name in it");
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        root.path("parameters")
                .properties()
                .forEach(
                        entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
        return new SnapshotIntent(
                root.path("epoch").asLong(),
                root.path("by").asText(),
                root.path("inherited").asBoolean(),
                name,
                parameters);
    }
}
