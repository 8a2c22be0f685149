package io.volume4j.inmemory.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One JSON object on a line for each message. Requests have an {@code id} that their answer repeats. */
final class Wire {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<LinkedHashMap<String, @Nullable Object>> MESSAGE = new TypeReference<>() {};

    private final OutputStream out;

    Wire(OutputStream out) {
        this.out = out;
    }

    synchronized void send(Map<String, @Nullable Object> message) throws IOException {
        out.write((JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    static Map<String, @Nullable Object> read(String line) {
        try {
            return JSON.readValue(line, MESSAGE);
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException(notJson);
        }
    }

    static Map<String, @Nullable Object> message(Object... pairs) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            message.put((String) pairs[i], pairs[i + 1]);
        }
        return message;
    }

    static String text(Map<String, @Nullable Object> message, String key) {
        return String.valueOf(Objects.requireNonNullElse(message.get(key), ""));
    }

    static Map<String, @Nullable Object> map(@Nullable Object value) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> found) {
            found.forEach((key, each) -> map.put(String.valueOf(key), each));
        }
        return map;
    }

    static List<Object> list(@Nullable Object value) {
        List<Object> list = new ArrayList<>();
        if (value instanceof List<?> found) {
            found.forEach(list::add);
        }
        return list;
    }

    static Object tree(ApiObject object) {
        return Manifests.toTree(object);
    }

    static ApiObject object(@Nullable Object tree) {
        return Manifests.fromTree(map(tree));
    }

    static Map<String, @Nullable Object> key(ObjectKey key) {
        return message("kind", key.kind().name(), "namespace", key.namespace(), "name", key.name());
    }

    static ObjectKey key(@Nullable Object value) {
        Map<String, @Nullable Object> key = map(value);
        return new ObjectKey(Kind.valueOf(text(key, "kind")), text(key, "namespace"), text(key, "name"));
    }

    static Map<String, @Nullable Object> preconditions(Preconditions wanted) {
        return message("uid", wanted.uid(), "revision", wanted.resourceVersion());
    }

    static Preconditions preconditions(@Nullable Object value) {
        Map<String, @Nullable Object> wanted = map(value);
        return new Preconditions(text(wanted, "uid"), text(wanted, "revision"));
    }

    static Map<String, @Nullable Object> patch(Patch patch) {
        List<Object> changes = new ArrayList<>();
        for (FieldChange change : patch.changes()) {
            Map<String, @Nullable Object> each = message("path", change.path());
            each.put("value", change.value());
            changes.add(each);
        }
        return message(
                "preconditions", preconditions(patch.preconditions()), "status", patch.status(), "changes", changes);
    }

    static Patch patch(@Nullable Object value) {
        Map<String, @Nullable Object> patch = map(value);
        List<FieldChange> changes = new ArrayList<>();
        for (Object change : list(patch.get("changes"))) {
            Map<String, @Nullable Object> each = map(change);
            changes.add(new FieldChange(
                    list(each.get("path")).stream().map(String::valueOf).toList(), each.get("value")));
        }
        return new Patch(preconditions(patch.get("preconditions")), Boolean.TRUE.equals(patch.get("status")), changes);
    }

    static Selection selection(String nodeName) {
        return nodeName.isEmpty() ? Selection.all() : Selection.ofNode(nodeName);
    }
}
