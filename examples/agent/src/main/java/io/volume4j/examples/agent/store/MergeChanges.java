package io.volume4j.examples.agent.store;

import io.volume4j.examples.agent.http.Json;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A JSON merge patch (RFC 7396) as changes of single fields. */
final class MergeChanges {
    private static final Set<String> STORES_OWN = Set.of(
            "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp");

    private MergeChanges() {}

    /** The changes of the status, or of all other fields; UID and revision are preconditions. */
    static Patch of(Map<String, @Nullable Object> body, boolean status) {
        Map<String, @Nullable Object> metadata = Json.map(body, "metadata");
        Preconditions held = new Preconditions(Json.text(metadata, "uid"), Json.text(metadata, "resourceVersion"));
        List<FieldChange> changes = new ArrayList<>();
        body.forEach((field, value) -> {
            if (field.equals("status") == status && !field.equals("kind") && !field.equals("apiVersion")) {
                collect(List.of(field), value, changes);
            }
        });
        changes.removeIf(change -> change.path().get(0).equals("metadata")
                && (change.path().size() == 1
                        || STORES_OWN.contains(change.path().get(1))));
        return new Patch(held, status, changes);
    }

    private static void collect(List<String> path, @Nullable Object value, List<FieldChange> changes) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((field, inner) -> {
                List<String> deeper = new ArrayList<>(path);
                deeper.add(String.valueOf(field));
                collect(deeper, inner, changes);
            });
        } else {
            changes.add(new FieldChange(path, value));
        }
    }
}
