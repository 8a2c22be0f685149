package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;

/**
 * Selects objects by their labels. All parts must match. An empty selector selects all objects.
 *
 * @since 0.1.0
 */
public record LabelSelector(Map<String, String> matchLabels, List<SelectorRequirement> matchExpressions) {
    public LabelSelector {
        matchLabels = Copies.map(matchLabels);
        matchExpressions = Copies.list(matchExpressions);
    }

    public boolean matches(Map<String, String> labels) {
        return matchLabels.entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
                && matchExpressions.stream().allMatch(requirement -> requirement.matches(labels));
    }
}
