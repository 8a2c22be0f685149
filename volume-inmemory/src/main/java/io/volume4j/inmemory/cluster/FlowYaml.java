package io.volume4j.inmemory.cluster;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.model.ApiObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Formats plain trees and writes as YAML on one line, for people and for scenario files. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FlowYaml {
    /** Text that every YAML reader takes for that text, also between braces and brackets. */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z/(][A-Za-z0-9_./=()-]*(?::[A-Za-z0-9_./=-]+)*|[1-9][0-9]*(?:[KMGTPE]i|[kMGTPm])");

    /** Words that a YAML reader takes for a truth value or for nothing. */
    private static final Set<String> TAKEN =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n", "True", "False", "Yes", "No", "N", "Y");

    private FlowYaml() {}

    /**
     * The tree on one line.
     *
     * @param tree maps, lists, text, numbers, truth values and nulls
     */
    public static String of(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            StringJoiner text = new StringJoiner(", ", "{", "}");
            map.forEach((key, value) -> text.add(scalar(String.valueOf(key)) + ": " + of(value)));
            return text.toString();
        }
        if (tree instanceof List<?> list) {
            StringJoiner text = new StringJoiner(", ", "[", "]");
            list.forEach(item -> text.add(of(item)));
            return text.toString();
        }
        return tree instanceof String text ? scalar(text) : String.valueOf(tree);
    }

    /**
     * The content of a write, on one line. For a {@link Patch}: its fields, as in a {@code patch} step of a scenario.
     * For an {@link ApiObject}: the object without its kind. {@code ""} for a write without content.
     */
    public static String written(Object content) {
        if (content instanceof Patch patch) {
            StringJoiner text = new StringJoiner(", ", "{", "}");
            patch.changes().forEach(change -> text.add(path(change.path()) + ": " + of(change.value())));
            return text.toString();
        }
        if (content instanceof ApiObject object) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>(Manifests.toTree(object));
            tree.remove("apiVersion");
            tree.remove("kind");
            return of(tree);
        }
        return "";
    }

    /** {@code spec.volumeName}; a part with dots is written {@code ["a.b/c"]}. */
    private static String path(List<String> parts) {
        StringBuilder text = new StringBuilder();
        boolean quoted = false;
        for (String part : parts) {
            if (part.indexOf('.') >= 0 || part.indexOf('[') >= 0) {
                text.append("[\"").append(part).append("\"]");
                quoted = true;
            } else {
                text.append(text.length() == 0 ? "" : ".").append(part);
            }
        }
        return quoted ? "'" + text + "'" : scalar(text.toString());
    }

    private static String scalar(String text) {
        if (PLAIN.matcher(text).matches() && !TAKEN.contains(text)) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(point -> {
            switch (point) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (Character.isISOControl(point)) {
                        quoted.append(String.format("\\x%02x", point));
                    } else {
                        quoted.appendCodePoint(point);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
