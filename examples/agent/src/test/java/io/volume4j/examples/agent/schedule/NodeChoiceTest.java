package io.volume4j.examples.agent.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeChoiceTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # fits | scores        | pods          | gets
            -      | -             | -             | -
            a      | -             | a=9           | a
            b a    | -             | -             | a
            a b    | -             | a=1           | b
            a b    | a=10 b=20     | b=9           | b
            a b    | a=10 b=10     | a=2 b=1       | b
            a b    | a=10          | a=9           | a
            a b c  | b=5 c=5       | b=1 c=1       | b
            """)
    void theBestStorageThenTheFewestPodsThenTheName(String fits, String scores, String pods, String gets) {
        assertThat(NodeChoice.of(fits == null ? List.of() : List.of(fits.split(" ")), numbers(scores), numbers(pods))
                        .orElse(null))
                .isEqualTo(gets);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # ready | taint            | open
            true    | -                | true
            false   | -                | false
            true    | NoSchedule       | false
            true    | NoExecute        | false
            true    | PreferNoSchedule | true
            """)
    void aNodeTakesPodsIfItIsReadyAndNoTaintKeepsThemAway(boolean ready, String taint, boolean open) {
        Node node = new Node(
                ObjectMeta.named("", "n"),
                new Node.Spec(Stream.ofNullable(taint)
                        .map(effect -> new Node.Taint("key", "", effect))
                        .toList()),
                new Node.Status(ready, List.of(), List.of(), Map.of()),
                Unmodeled.none());

        assertThat(NodeChoice.isOpen(node)).isEqualTo(open);
    }

    private static Map<String, Integer> numbers(String text) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        if (text != null) {
            Arrays.stream(text.split(" "))
                    .map(each -> each.split("="))
                    .forEach(each -> numbers.put(each[0], Integer.parseInt(each[1])));
        }
        return numbers;
    }
}
