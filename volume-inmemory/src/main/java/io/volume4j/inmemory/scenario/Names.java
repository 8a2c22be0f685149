package io.volume4j.inmemory.scenario;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How scenario files name things. */
final class Names {
    private static final String DEFAULT = "default";

    private Names() {}

    static Kind kind(Value value) {
        for (Kind kind : Kind.values()) {
            if (kind.apiName().equals(value.text())) {
                return kind;
            }
        }
        throw value.error("no kind of object is called \"" + value.text() + "\"");
    }

    /** The kind of a list, as an API server spells it: {@code pods}. */
    static Kind plural(Value value) {
        for (Kind kind : Kind.values()) {
            String one = kind.apiName().toLowerCase(Locale.ROOT);
            String many = one.endsWith("s") ? one + "es" : one + "s";
            if (many.equals(value.text())) {
                return kind;
            }
        }
        throw value.error("no kind of objects is called \"" + value.text() + "\"; write for example pods");
    }

    /** {@code Kind/namespace/name}; the namespace is empty for what has none, and may be left out where it is default. */
    static ObjectKey object(Value value) {
        String[] parts = value.text().split("/", -1);
        Kind kind = null;
        for (Kind each : Kind.values()) {
            kind = each.apiName().equals(parts[0]) ? each : kind;
        }
        if (kind == null || parts.length < 2 || parts.length > 3) {
            throw value.error("expected Kind/namespace/name, not \"" + value.text() + "\"");
        }
        String namespace = parts.length == 3 ? parts[1] : "";
        if (kind.namespaced()) {
            namespace = namespace.isEmpty() ? DEFAULT : namespace;
        } else if (!namespace.isEmpty()) {
            throw value.error(kind.apiName() + " has no namespace: write " + kind.apiName() + "//" + parts[2]);
        }
        return new ObjectKey(kind, namespace, parts[parts.length - 1]);
    }

    /** An access mode, as manifests spell it. */
    static AccessMode accessMode(Value value) {
        for (AccessMode mode : AccessMode.values()) {
            if (mode.apiName().equals(value.text())) {
                return mode;
            }
        }
        throw value.error("no access mode is called \"" + value.text() + "\"");
    }

    /** {@code namespace/name} of a pod. */
    static ObjectKey pod(Value value) {
        String[] parts = value.text().split("/", -1);
        return switch (parts.length) {
            case 1 -> ObjectKey.pod(DEFAULT, parts[0]);
            case 2 -> ObjectKey.pod(parts[0], parts[1]);
            default -> throw value.error("expected namespace/name of a pod, not \"" + value.text() + "\"");
        };
    }

    /** The parts of a field's path; a part with dots is written {@code ["a.b/c"]}. */
    static List<String> path(String text, Value where) {
        List<String> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end;
            if (text.startsWith("[\"", at)) {
                end = text.indexOf("\"]", at);
                if (end < 0) {
                    throw where.error("[\" without \"] in " + text);
                }
                parts.add(text.substring(at + 2, end));
                end += 2;
            } else {
                end = at;
                while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
                    end++;
                }
                parts.add(text.substring(at, end));
            }
            at = end < text.length() && text.charAt(end) == '.' ? end + 1 : end;
        }
        return parts;
    }

    /** Puts a value into a tree of maps, null to take it out. */
    static void set(Map<String, @Nullable Object> tree, List<String> path, @Nullable Object value) {
        Map<String, @Nullable Object> at = tree;
        for (String part : path.subList(0, path.size() - 1)) {
            Map<String, @Nullable Object> next = new LinkedHashMap<>();
            if (at.get(part) instanceof Map<?, ?> old) {
                old.forEach((key, child) -> next.put(String.valueOf(key), child));
            }
            at.put(part, next);
            at = next;
        }
        String last = path.get(path.size() - 1);
        if (value == null) {
            at.remove(last);
        } else {
            at.put(last, value);
        }
    }
}
