package io.volume4j.inmemory.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How an object differs from the part of it that is expected. */
final class Difference {
    private final List<String> lines = new ArrayList<>();

    private Difference() {}

    /** One line for each field that is not as expected, empty if all are. */
    static List<String> of(Map<?, ?> expected, Map<?, ?> actual) {
        Difference difference = new Difference();
        difference.compareMaps("", expected, actual);
        return difference.lines;
    }

    private void compare(String path, @Nullable Object expected, @Nullable Object actual) {
        if (expected instanceof Map<?, ?> map) {
            if (actual instanceof Map<?, ?> other) {
                compareMaps(path + ".", map, other);
            } else {
                differ(path, expected, actual);
            }
        } else if (expected instanceof List<?> list) {
            if (actual instanceof List<?> other && other.size() == list.size()) {
                for (int i = 0; i < list.size(); i++) {
                    compare(path + "[" + i + "]", list.get(i), other.get(i));
                }
            } else {
                differ(path, expected, actual);
            }
        } else if (!String.valueOf(expected).equals(String.valueOf(actual))) {
            differ(path, expected, actual);
        }
    }

    private void compareMaps(String prefix, Map<?, ?> expected, Map<?, ?> actual) {
        expected.forEach((key, value) -> {
            String path = prefix + key;
            if (value != null) {
                compare(path, value, actual.get(key));
            } else if (actual.get(key) != null) {
                differ(path, null, actual.get(key));
            }
        });
    }

    private void differ(String path, @Nullable Object expected, @Nullable Object actual) {
        lines.add("- " + path + ": " + (expected == null ? "(absent)" : expected));
        lines.add("+ " + path + ": " + (actual == null ? "(absent)" : actual));
    }
}
