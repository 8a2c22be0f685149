package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;

/**
 * Selects nodes. At least one term must match. A selector without terms selects no node.
 *
 * @since 0.1.0
 */
public record NodeSelector(List<Term> terms) {
    public NodeSelector {
        terms = Copies.list(terms);
    }

    /** Whether the selector matches a node with this name and these labels. */
    public boolean matches(String nodeName, Map<String, String> labels) {
        return terms.stream().anyMatch(term -> term.matches(nodeName, labels));
    }

    /** A term. All its conditions must match. A term without conditions matches no node. */
    public record Term(List<SelectorRequirement> matchExpressions, List<SelectorRequirement> matchFields) {
        public Term {
            matchExpressions = Copies.list(matchExpressions);
            matchFields = Copies.list(matchFields);
        }

        boolean matches(String nodeName, Map<String, String> labels) {
            Map<String, String> fields = Map.of("metadata.name", nodeName);
            return !(matchExpressions.isEmpty() && matchFields.isEmpty())
                    && matchExpressions.stream().allMatch(requirement -> requirement.matches(labels))
                    && matchFields.stream().allMatch(requirement -> requirement.matches(fields));
        }
    }
}
