package io.volume4j.core.codec;

import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Selectors, and the topology terms of a class, which are selectors in another form. */
final class SelectorShapes {
    private static final Set<String> LABEL_OPERATORS = Set.of("In", "NotIn", "Exists", "DoesNotExist");
    private static final Set<String> NODE_OPERATORS = Set.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");

    private SelectorShapes() {}

    static LabelSelector readLabels(Fields fields) {
        return new LabelSelector(
                fields.textMap("matchLabels"), readRequirements(fields, "matchExpressions", LABEL_OPERATORS));
    }

    static Written writeLabels(LabelSelector selector) {
        return Written.whole()
                .map("matchLabels", selector.matchLabels())
                .objects("matchExpressions", selector.matchExpressions(), SelectorShapes::writeRequirement);
    }

    static NodeSelector readNodes(Fields fields) {
        return new NodeSelector(fields.objects("nodeSelectorTerms").stream()
                .map(term -> new NodeSelector.Term(
                        readRequirements(term, "matchExpressions", NODE_OPERATORS),
                        readRequirements(term, "matchFields", NODE_OPERATORS)))
                .toList());
    }

    static Written writeNodes(NodeSelector selector) {
        return Written.whole()
                .objects(
                        "nodeSelectorTerms",
                        selector.terms(),
                        term -> Written.whole()
                                .objects("matchExpressions", term.matchExpressions(), SelectorShapes::writeRequirement)
                                .objects("matchFields", term.matchFields(), SelectorShapes::writeRequirement));
    }

    /** {@code allowedTopologies}: null if it is missing, which allows every topology. */
    static @Nullable NodeSelector readTopologies(List<Fields> terms) {
        return terms.isEmpty()
                ? null
                : new NodeSelector(terms.stream()
                        .map(term -> new NodeSelector.Term(
                                term.objects("matchLabelExpressions").stream()
                                        .map(expression -> new SelectorRequirement(
                                                expression.requiredText("key", "write the label's key"),
                                                "In",
                                                expression.texts("values")))
                                        .toList(),
                                List.of()))
                        .toList());
    }

    static Written writeTopology(NodeSelector.Term term) {
        return Written.whole()
                .objects(
                        "matchLabelExpressions",
                        term.matchExpressions(),
                        requirement ->
                                Written.whole().text("key", requirement.key()).scalars("values", requirement.values()));
    }

    private static List<SelectorRequirement> readRequirements(Fields fields, String key, Set<String> operators) {
        return fields.objects(key).stream()
                .map(requirement -> readRequirement(requirement, operators))
                .toList();
    }

    /** A stored requirement with an unknown operator matches nothing. */
    private static SelectorRequirement readRequirement(Fields fields, Set<String> operators) {
        String operator = fields.requiredText("operator", "write In, NotIn, Exists or DoesNotExist");
        if (!operators.contains(operator) && !fields.stored()) {
            throw fields.wrong(
                    "operator",
                    Shown.value(operator) + " is not known: write In, NotIn, Exists or DoesNotExist"
                            + (operators.contains("Gt") ? ", Gt or Lt" : ""));
        }
        return new SelectorRequirement(
                fields.requiredText("key", "write the label's key"), operator, fields.texts("values"));
    }

    private static Written writeRequirement(SelectorRequirement requirement) {
        return Written.whole()
                .text("key", requirement.key())
                .text("operator", requirement.operator())
                .scalars("values", requirement.values());
    }
}
