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
 * The durable record that a plugin may be creating a snapshot: an annotation of the content, in addition to Kubernetes' standard
 * annotation. It has the parameters of the call that the content does not have. So a retry after a restart is the same call, even
 * if the class is gone.
 *
 * @param epoch of the leader that makes the call; another leader writes its own epoch before it calls
 * @param by the process that makes the call
 * @param inherited whether another process held the intent before, whose call may still have an effect
 * @param name the name that makes the call idempotent
 * @param parameters of the class, with the names of secrets but no secrets
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

    /** This intent, taken over by this process. The effect of the earlier process's calls is not known. */
    SnapshotIntent takenOver(Self self) {
        return new SnapshotIntent(self.epoch(), self.process(), true, name, parameters);
    }

    /** The text of the annotation. It begins with the version of its format. */
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
     * Parses the text of {@link #text}.
     *
     * @throws IllegalArgumentException if the text is not an intent, or has an unknown version
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
