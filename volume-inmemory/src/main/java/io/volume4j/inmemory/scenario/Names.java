package io.volume4j.inmemory.scenario;

import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names in scenario files. */
final class Names {
    private static final String DEFAULT = "default";
    private static final List<String> KINDS =
            Arrays.stream(Kind.values()).map(Kind::apiName).toList();

    private Names() {}

    static Kind kind(Value value) {
        for (Kind kind : Kind.values()) {
            if (kind.apiName().equals(value.text())) {
                return kind;
            }
        }
        throw value.unknown("kind of object", KINDS);
    }

    /** The kind of a list, as in the API: {@code pods}. */
    static Kind plural(Value value) {
        for (Kind kind : Kind.values()) {
            if (many(kind).equals(value.text())) {
                return kind;
            }
        }
        throw value.unknown(
                "kind of objects", Arrays.stream(Kind.values()).map(Names::many).toList());
    }

    private static String many(Kind kind) {
        String one = kind.apiName().toLowerCase(Locale.ROOT);
        if (one.endsWith("ty")) {
            return one.substring(0, one.length() - 1) + "ies";
        }
        return one.endsWith("s") ? one + "es" : one + "s";
    }

    /** The name of a call of a plugin. */
    static String call(Value value) {
        String name = value.text();
        if (!PluginCall.NAMES.contains(name)) {
            throw value.unknown("call", PluginCall.NAMES);
        }
        return name;
    }

    /** {@code attach v1 n1}: a call, or the beginning of one. */
    static void callText(Value value) {
        String name = value.text().split(" ", 2)[0];
        if (!PluginCall.NAMES.contains(name)) {
            throw value.error("no call is called \"" + name + "\"" + Nearest.hint(name, PluginCall.NAMES)
                    + "; there are " + String.join(", ", PluginCall.NAMES));
        }
    }

    /**
     * {@code Kind/namespace/name}; the namespace is empty for kinds without namespaces, and may be omitted for
     * {@code default}.
     */
    static ObjectKey object(Value value) {
        String[] parts = value.text().split("/", -1);
        Kind kind = null;
        for (Kind each : Kind.values()) {
            kind = each.apiName().equals(parts[0]) ? each : kind;
        }
        if (kind == null || parts.length < 2 || parts.length > 3) {
            throw value.error("expected Kind/namespace/name, not \"" + value.text() + "\""
                    + (kind == null ? Nearest.hint(parts[0], KINDS) : ""));
        }
        String namespace = parts.length == 3 ? parts[1] : "";
        if (kind.namespaced()) {
            namespace = namespace.isEmpty() ? DEFAULT : namespace;
        } else if (!namespace.isEmpty()) {
            throw value.error(kind.apiName() + " has no namespace: write " + kind.apiName() + "//" + parts[2]);
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            throw value.error("\"" + value.text() + "\" names no object: write Kind/namespace/name");
        }
        return new ObjectKey(kind, namespace, name);
    }

    /** An access mode, as in manifests. */
    static AccessMode accessMode(Value value) {
        for (AccessMode mode : AccessMode.all()) {
            if (mode.apiName().equals(value.text())) {
                return mode;
            }
        }
        throw value.unknown(
                "access mode",
                AccessMode.all().stream().map(AccessMode::apiName).toList());
    }

    /** {@code namespace/name} of a pod. */
    static ObjectKey pod(Value value) {
        String[] parts = value.text().split("/", -1);
        if (parts[parts.length - 1].isEmpty()) {
            throw value.error("\"" + value.text() + "\" names no pod: write namespace/name");
        }
        return switch (parts.length) {
            case 1 -> ObjectKey.pod(DEFAULT, parts[0]);
            case 2 -> ObjectKey.pod(parts[0], parts[1]);
            default -> throw value.error("expected namespace/name of a pod, not \"" + value.text() + "\"");
        };
    }

    /** The parts of a field's path; a part with dots has the form {@code ["a.b/c"]}. A path leads into no list. */
    static List<String> path(String text, Value where) {
        List<String> parts = new ArrayList<>();
        if (text.isEmpty()) {
            throw where.error("a field is named by its path, such as spec.nodeName");
        }
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
            } else if (text.charAt(at) == '[') {
                throw where.error("the path " + text + " leads into a list: set the whole list"
                        + (parts.isEmpty() ? "" : ", " + String.join(".", parts)) + "; a key with dots is [\"a.b/c\"]");
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

    /** Sets a value in a tree of maps; null removes it. */
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
