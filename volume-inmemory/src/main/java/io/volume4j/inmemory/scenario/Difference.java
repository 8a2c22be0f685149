package io.volume4j.inmemory.scenario;

import io.volume4j.inmemory.cluster.FlowYaml;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** The difference between an object and its expectation, in YAML. */
final class Difference {
    /** Longer values take several lines. */
    private static final int LINE = 100;

    private final boolean whole;
    private final List<String> lines = new ArrayList<>();

    private Difference(boolean whole) {
        this.whole = whole;
    }

    /** Each field that differs from the expectation, none if all match; the object may have more fields. */
    static List<String> of(Map<?, ?> expected, Map<?, ?> actual) {
        Difference difference = new Difference(false);
        difference.compareMaps("", expected, actual);
        return difference.lines;
    }

    /** Each changed, added or removed field; none if nothing changed. */
    static List<String> between(Map<?, ?> before, Map<?, ?> after) {
        Difference difference = new Difference(true);
        difference.compareMaps("", before, after);
        return difference.lines;
    }

    private void compare(String path, @Nullable Object expected, @Nullable Object actual) {
        if (expected instanceof Map<?, ?> map && actual instanceof Map<?, ?> other) {
            compareMaps(path + ".", map, other);
        } else if (!whole && expected instanceof Map<?, ?> map && !map.isEmpty() && actual == null) {
            // The map is absent, so its fields are absent too, as expected.
            compareMaps(path + ".", map, Map.of());
        } else if (expected instanceof List<?> list && actual instanceof List<?> other && other.size() == list.size()) {
            for (int i = 0; i < list.size(); i++) {
                compare(path + "[" + i + "]", list.get(i), other.get(i));
            }
        } else if (!same(expected, actual)) {
            differ(path, expected, actual);
        }
    }

    private boolean same(@Nullable Object expected, @Nullable Object actual) {
        if (whole || expected == null || actual == null || expected instanceof Map || expected instanceof List) {
            return Objects.equals(expected, actual);
        }
        return expected.toString().equals(actual.toString());
    }

    private void compareMaps(String prefix, Map<?, ?> expected, Map<?, ?> actual) {
        Set<Object> keys = new LinkedHashSet<>(expected.keySet());
        if (whole) {
            keys.addAll(actual.keySet());
        }
        for (Object key : keys) {
            compare(prefix + key, expected.get(key), actual.get(key));
        }
    }

    private void differ(String path, @Nullable Object expected, @Nullable Object actual) {
        show("- ", path, expected);
        show("+ ", path, actual);
    }

    private void show(String mark, String path, @Nullable Object value) {
        String line = value == null ? "(absent)" : FlowYaml.of(value);
        if (line.length() <= LINE || !(value instanceof Map || value instanceof List)) {
            lines.add(mark + path + ": " + line);
            return;
        }
        lines.add(mark + path + ":");
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setWidth(Integer.MAX_VALUE);
        new Yaml(options).dump(value).lines().forEach(each -> lines.add(mark + "  " + each));
    }
}
