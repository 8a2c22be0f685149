package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Field changes as a JSON merge patch (RFC 7396). It is better here than a JSON patch (RFC 6902): it creates missing parents
 * and accepts the removal of a missing field. For another revision than the stored one the server answers 409. With a JSON
 * patch the client cannot distinguish a failed test from an invalid patch.
 *
 * <p>A merge patch is weaker in one case: it merges a map with the stored one instead of replacing it. Then the adapter must
 * know the stored object. The patch is the difference between the stored and the new object, and is valid for that revision
 * only.
 */
final class MergePatch {
    private MergePatch() {}

    /** Whether the patch depends on the stored object. */
    static boolean needsStored(Patch patch) {
        List<FieldChange> changes = patch.changes();
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i).value() instanceof Map<?, ?>) {
                return true;
            }
            for (FieldChange earlier : changes.subList(0, i)) {
                if (startsWith(changes.get(i).path(), earlier.path())
                        || startsWith(earlier.path(), changes.get(i).path())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The patch for changes that do not {@linkplain #needsStored need the stored object}. */
    static Map<String, @Nullable Object> of(List<FieldChange> changes, Preconditions preconditions) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        for (FieldChange change : changes) {
            parent(body, change).put(last(change), change.value());
        }
        return guarded(body, preconditions);
    }

    /** The patch that applies the changes to the stored object. */
    static Map<String, @Nullable Object> of(
            List<FieldChange> changes, Preconditions preconditions, Map<String, @Nullable Object> stored) {
        Map<String, @Nullable Object> after = new Patch(preconditions, false, changes).applyTo(stored);
        return guarded(difference(stored, after), preconditions);
    }

    /** @throws ClusterException invalid, if the patch changes status and other fields together, which every server rejects */
    static void requireOneSide(String what, Patch patch) {
        for (FieldChange change : patch.changes()) {
            if (change.path().get(0).equals("status") != patch.status()) {
                throw new ClusterException(
                        Reason.INVALID,
                        what + ": " + String.join(".", change.path()) + " cannot be changed together with "
                                + (patch.status() ? "the status" : "the rest"));
            }
        }
    }

    private static Map<String, @Nullable Object> guarded(
            Map<String, @Nullable Object> body, Preconditions preconditions) {
        Map<String, @Nullable Object> metadata = child(body, "metadata");
        if (!preconditions.uid().isEmpty()) {
            metadata.put("uid", preconditions.uid());
        }
        if (!preconditions.resourceVersion().isEmpty()) {
            metadata.put("resourceVersion", preconditions.resourceVersion());
        }
        return body;
    }

    private static Map<String, @Nullable Object> difference(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        Map<String, @Nullable Object> difference = new LinkedHashMap<>();
        for (String field : before.keySet()) {
            if (!after.containsKey(field)) {
                difference.put(field, null);
            }
        }
        after.forEach((field, value) -> {
            if (value instanceof Map && before.get(field) instanceof Map) {
                Map<String, @Nullable Object> inner = difference(Json.map(before, field), Json.map(after, field));
                if (!inner.isEmpty()) {
                    difference.put(field, inner);
                }
            } else if (!Objects.equals(before.get(field), value)) {
                difference.put(field, value);
            }
        });
        return difference;
    }

    private static Map<String, @Nullable Object> parent(Map<String, @Nullable Object> top, FieldChange change) {
        Map<String, @Nullable Object> parent = top;
        for (String name : change.path().subList(0, change.path().size() - 1)) {
            parent = child(parent, name);
        }
        return parent;
    }

    private static String last(FieldChange change) {
        return change.path().get(change.path().size() - 1);
    }

    /** A mutable copy of the child, which replaces it. */
    private static Map<String, @Nullable Object> child(Map<String, @Nullable Object> parent, String name) {
        Map<String, @Nullable Object> child = new LinkedHashMap<>(Json.map(parent, name));
        parent.put(name, child);
        return child;
    }

    private static boolean startsWith(List<String> path, List<String> beginning) {
        return path.size() >= beginning.size()
                && path.subList(0, beginning.size()).equals(beginning);
    }
}
