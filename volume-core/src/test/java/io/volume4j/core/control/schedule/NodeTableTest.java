package io.volume4j.core.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets of nodes say the same as looking at the nodes one by one. */
class NodeTableTest {
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Bogus");

    private final NodeTable table = new NodeTable();
    private final Map<String, Map<String, String>> nodes = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void choosesTheNodesThatTheSelectorMatches(int seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            String name = "n" + random.nextInt(12);
            if (random.nextInt(4) == 0) {
                nodes.remove(name);
                table.remove(name);
            } else {
                Map<String, String> labels = labels(random);
                nodes.put(name, labels);
                table.put(name, labels);
            }
            NodeSelector selector = selector(random);
            LabelSelector labels = new LabelSelector(labels(random), requirements(random));

            assertThat(names(table.choosing(selector)))
                    .as("%s in %s", selector, nodes)
                    .containsExactlyInAnyOrderElementsOf(nodes.entrySet().stream()
                            .filter(node -> selector.matches(node.getKey(), node.getValue()))
                            .map(Map.Entry::getKey)
                            .toList());
            assertThat(names(table.choosing(labels)))
                    .containsExactlyInAnyOrderElementsOf(nodes.entrySet().stream()
                            .filter(node -> labels.matches(node.getValue()))
                            .map(Map.Entry::getKey)
                            .toList());
        }
    }

    @Test
    void givesANumberAgainWhenNothingRefersToItsNode() {
        table.put("a", Map.of());
        int number = table.retain("a");
        table.remove("a");
        assertThat(table.number("a")).as("a caller still refers to it").isEqualTo(number);
        table.put("b", Map.of());
        assertThat(table.number("b")).isNotEqualTo(number);

        table.release(number);
        table.put("c", Map.of());

        assertThat(table.number("a")).isEqualTo(-1);
        assertThat(table.number("c")).isEqualTo(number);
        assertThat(table.size()).isEqualTo(2);
    }

    private List<String> names(java.util.BitSet numbers) {
        return numbers.stream().mapToObj(table::name).toList();
    }

    private static NodeSelector selector(Random random) {
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            List<SelectorRequirement> fields = random.nextInt(4) > 0
                    ? List.of()
                    : List.of(new SelectorRequirement(
                            "metadata.name", random.nextBoolean() ? "In" : "NotIn", List.of("n" + random.nextInt(12))));
            terms.add(new NodeSelector.Term(requirements(random), fields));
        }
        return new NodeSelector(terms);
    }

    private static List<SelectorRequirement> requirements(Random random) {
        List<SelectorRequirement> requirements = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
            List<String> values = new ArrayList<>();
            for (int j = random.nextInt(3); j > 0; j--) {
                values.add("" + random.nextInt(4));
            }
            requirements.add(new SelectorRequirement("k" + random.nextInt(3), operator, values));
        }
        return requirements;
    }

    private static Map<String, String> labels(Random random) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            if (random.nextInt(3) == 0) {
                labels.put("k" + i, "" + random.nextInt(4));
            }
        }
        return labels;
    }
}
