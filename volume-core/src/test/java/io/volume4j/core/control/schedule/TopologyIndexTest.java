package io.volume4j.core.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.binding.match.Affinity;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From which nodes volumes of one affinity can be reached, while volumes and nodes come and go. */
class TopologyIndexTest {
    private static final Affinity A = zone("a");
    private static final Affinity B = zone("b");

    private final NodeTable nodes = new NodeTable();
    private final TopologyIndex index = new TopologyIndex(nodes);

    @Test
    void findsTheAffinitiesThatChooseANode() {
        int one = node("one", "a");
        int two = node("two", "b");
        index.add(A);
        assertThat(at(one)).containsExactly("a");
        assertThat(at(two)).isEmpty();

        index.add(B);
        assertThat(at(one)).containsExactly("a");
        assertThat(at(two)).containsExactly("b");
        assertThat(at(17)).as("no such node").isEmpty();
    }

    @Test
    void keepsAnAffinityUntilItsLastVolumeIsGone() {
        int one = node("one", "a");
        index.add(A);
        assertThat(at(one)).containsExactly("a");
        index.add(A);
        assertThat(at(one)).as("two volumes of one place").containsExactly("a");

        index.remove(A);
        assertThat(at(one)).containsExactly("a");

        index.remove(A);
        assertThat(at(one)).isEmpty();
    }

    @Test
    void takesNothingElseAwayWithAnAffinity() {
        int one = node("one", "a");
        Affinity named = new Affinity(new NodeSelector(List.of(new NodeSelector.Term(
                List.of(), List.of(new SelectorRequirement("metadata.name", "In", List.of("one")))))));
        index.add(A);
        index.add(named);
        assertThat(index.at(one)).hasSize(2);

        index.remove(A);

        assertThat(index.at(one)).extracting(TopologyIndex.Place::affinity).containsExactly(named);
    }

    @Test
    void followsNodesThatComeAndChange() {
        index.add(A);
        int one = node("one", "a");
        assertThat(at(one)).containsExactly("a");

        node("one", "b");
        assertThat(at(one)).isEmpty();

        index.remove(A);
        index.add(B);
        assertThat(at(one)).containsExactly("b");
    }

    @Test
    void saysWhetherOtherNodesReachThePlaceToo() {
        int one = node("one", "a");
        index.add(A);
        assertThat(index.at(one)).extracting(TopologyIndex.Place::shared).containsExactly(false);

        node("two", "a");
        assertThat(index.at(one)).extracting(TopologyIndex.Place::shared).containsExactly(true);
    }

    private int node(String name, String zone) {
        nodes.put(name, Map.of("zone", zone));
        return nodes.number(name);
    }

    private List<String> at(int node) {
        return index.at(node).stream()
                .map(place -> place.affinity()
                        .selector()
                        .terms()
                        .get(0)
                        .matchExpressions()
                        .get(0)
                        .values()
                        .get(0))
                .toList();
    }

    private static Affinity zone(String name) {
        return new Affinity(new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement("zone", "In", List.of(name))), List.of()))));
    }
}
