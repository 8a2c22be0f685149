package io.volume4j.inmemory.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.cluster.FlowYaml;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a report shows where an object is not as expected. */
class DifferenceTest {
    @Test
    void aFieldThatIsToBeAbsentIsAbsentWhereItsParentIs() {
        assertThat(matches("{metadata: {annotations: {x: null}}}", "{metadata: {name: c}}"))
                .isEmpty();
    }

    @Test
    void aFieldThatIsToBeThereIsShownEvenWhereItsParentIsAbsent() {
        assertThat(matches("{metadata: {annotations: {x: null, y: z}}}", "{metadata: {name: c}}"))
                .containsExactly("- metadata.annotations.y: z", "+ metadata.annotations.y: (absent)");
    }

    @Test
    void anEmptyMapThatIsExpectedMustBeThere() {
        assertThat(matches("{state: {running: {}}}", "{state: {}}"))
                .containsExactly("- state.running: {}", "+ state.running: (absent)");
        assertThat(matches("{state: {running: {}}}", "{state: {running: {startedAt: now}}}"))
                .isEmpty();
    }

    @Test
    void numbersAndTheirTextsAreTheSame() {
        assertThat(matches("{a: \"1\"}", "{a: 1}")).isEmpty();
    }

    @Test
    void mapsAndListsAreShownAsYaml() {
        assertThat(matches("{spec: {modes: [A]}}", "{spec: {modes: [A, {b: \"true\"}]}}"))
                .containsExactly("- spec.modes: [A]", "+ spec.modes: [A, {b: \"true\"}]");
    }

    @Test
    void whatIsLongIsShownOnSeveralLines() {
        String words = "word ".repeat(20).trim();
        assertThat(matches("{a: x}", "{a: {b: \"" + words + "\", c: [d]}}"))
                .containsExactly("- a: x", "+ a:", "+   b: " + words, "+   c:", "+   - d");
    }

    @Test
    void betweenTwoStatesAllIsShownThatChangedCameOrWent() {
        assertThat(Difference.between(
                        tree("{changed: 1, gone: {a: b}, same: s, list: [{k: v}]}"),
                        tree("{changed: 2, same: s, list: [{k: v, more: m}], came: [new]}")))
                .containsExactly(
                        "- changed: 1",
                        "+ changed: 2",
                        "- gone: {a: b}",
                        "+ gone: (absent)",
                        "- list[0].more: (absent)",
                        "+ list[0].more: m",
                        "- came: (absent)",
                        "+ came: [new]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "true",
                "null",
                "1",
                "a: b",
                "a, b",
                "[x",
                "- x",
                "",
                " x",
                "1Gi",
                "#",
                "a\"b\\c\nd",
                "*x",
                "0x1",
                "~"
            })
    void textIsReadBackAsThatText(String text) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("key", text);
        tree.put(text + "k", List.of(text, 1, true));
        assertThat(tree(FlowYaml.of(tree))).isEqualTo(tree);
    }

    private static List<String> matches(String expected, String actual) {
        return Difference.of(tree(expected), tree(actual));
    }

    private static Map<?, ?> tree(String yaml) {
        return (Map<?, ?>) Objects.requireNonNull(Value.read("test", yaml).tree());
    }
}
