package io.volume4j.core.control.binding.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.binding.match.ClaimNeeds.Place;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The affinities that choose a node, found without looking at all of them. */
class AffinityIndexTest {
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

    private final AffinityIndex index = new AffinityIndex();

    @Test
    void findsThoseThatEachOneAskedWouldSayItChooses() {
        SplittableRandom random = new SplittableRandom(3);
        List<Affinity> known = new ArrayList<>();
        for (int round = 0; round < 400; round++) {
            if (known.size() > 12 || (!known.isEmpty() && random.nextInt(3) == 0)) {
                index.remove(known.remove(random.nextInt(known.size())));
            } else {
                known.add(index.add(new Affinity(selector(random))));
            }
            Place node = new Place("n" + random.nextInt(3), Map.of("zone", "z" + random.nextInt(3)), true);

            assertThat(index.choosing(node))
                    .containsExactlyInAnyOrderElementsOf(known.stream()
                            .distinct()
                            .filter(each -> each.selector().matches(node.nodeName(), node.labels()))
                            .toList());
        }
    }

    @Test
    void givesVolumesOfOnePlaceOneObjectWithANumberOfItsOwn() {
        Affinity first = index.add(new Affinity(in("zone", "a")));
        Affinity other = index.add(new Affinity(in("zone", "b")));
        assertThat(index.add(new Affinity(in("zone", "a")))).isSameAs(first);
        assertThat(other.number()).isNotEqualTo(first.number()).isNotNegative();

        index.remove(first);
        assertThat(index.add(new Affinity(in("zone", "c"))).number())
                .as("one volume still has the first")
                .isNotEqualTo(first.number());

        index.remove(first);
        assertThat(index.add(new Affinity(in("zone", "d"))).number()).isEqualTo(first.number());
    }

    @Test
    void isFoundByAnyValueThatItAllows() {
        Affinity either = index.add(new Affinity(in("zone", "a", "b")));

        assertThat(index.choosing(new Place("n", Map.of("zone", "a"), true))).containsExactly(either);
        assertThat(index.choosing(new Place("n", Map.of("zone", "b"), true))).containsExactly(either);
        assertThat(index.choosing(new Place("n", Map.of("zone", "c"), true))).isEmpty();
        assertThat(index.choosing(new Place("n", Map.of("rack", "a"), true))).isEmpty();

        index.remove(either);
        assertThat(index.choosing(new Place("n", Map.of("zone", "a"), true))).isEmpty();
        assertThat(index.choosing(new Place("n", Map.of("zone", "b"), true))).isEmpty();
    }

    @Test
    void takesNoneAwayThatItDoesNotHave() {
        Affinity known = index.add(new Affinity(in("zone", "a")));

        index.remove(new Affinity(in("zone", "b")));

        assertThat(index.choosing(new Place("n", Map.of("zone", "a"), true))).containsExactly(known);
    }

    private static NodeSelector in(String key, String... values) {
        return new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement(key, "In", List.of(values))), List.of())));
    }

    private static NodeSelector selector(SplittableRandom random) {
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (int term = 0; term <= random.nextInt(2); term++) {
            List<SelectorRequirement> labels = new ArrayList<>();
            for (int i = 0; i < random.nextInt(3); i++) {
                String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
                labels.add(new SelectorRequirement(
                        "zone", operator, operator.endsWith("In") ? List.of("z" + random.nextInt(3)) : List.of()));
            }
            List<SelectorRequirement> fields = random.nextBoolean()
                    ? List.of()
                    : List.of(new SelectorRequirement(
                            "metadata.name", random.nextBoolean() ? "In" : "NotIn", List.of("n" + random.nextInt(3))));
            terms.add(new NodeSelector.Term(labels, fields));
        }
        return new NodeSelector(terms);
    }
}
