package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One condition on labels (or on a node's fields).
 *
 * @param operator {@code In}, {@code NotIn}, {@code Exists}, {@code DoesNotExist}, {@code Gt} or {@code Lt}
 * @since 0.1.0
 */
public record SelectorRequirement(String key, String operator, List<String> values) {
    public SelectorRequirement {
        key = Copies.text(key);
        operator = Copies.text(operator);
        values = Copies.list(values);
    }

    /** Whether the condition holds. False for an unknown operator. */
    public boolean matches(Map<String, String> labels) {
        @Nullable String actual = labels.get(key);
        return switch (operator) {
            case "In" -> actual != null && values.contains(actual);
            case "NotIn" -> actual == null || !values.contains(actual);
            case "Exists" -> actual != null;
            case "DoesNotExist" -> actual == null;
            case "Gt" -> actual != null && compare(actual) > 0;
            case "Lt" -> actual != null && compare(actual) < 0;
            default -> false;
        };
    }

    /** Sign of (actual − wanted); zero, which satisfies neither order, where one is not a whole number. */
    private int compare(String actual) {
        if (values.size() != 1) {
            return 0;
        }
        try {
            return Long.compare(Long.parseLong(actual), Long.parseLong(values.get(0)));
        } catch (NumberFormatException notNumbers) {
            return 0;
        }
    }
}
