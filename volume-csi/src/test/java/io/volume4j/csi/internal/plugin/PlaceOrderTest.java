package io.volume4j.csi.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlaceOrderTest {
    private static final List<Map<String, String>> ZONES =
            List.of(Map.of("zone", "a"), Map.of("zone", "b"), Map.of("zone", "c"));

    @Test
    void theClaimsOfASetBeginAtConsecutivePlaces() {
        List<Map<String, String>> firsts =
                IntStream.range(0, 6).mapToObj(pod -> first("data-web-" + pod)).toList();

        assertThat(firsts.subList(0, 3)).containsExactlyInAnyOrderElementsOf(ZONES);
        assertThat(firsts.subList(3, 6)).isEqualTo(firsts.subList(0, 3));
    }

    @Test
    void theClaimsOfOnePodBeginAtTheSamePlace() {
        assertThat(first("log-web-1")).isEqualTo(first("data-web-1"));
        assertThat(first("web-1")).isEqualTo(first("data-web-1"));
    }

    @Test
    void otherClaimsBeginAtAnyPlace() {
        assertThat(IntStream.range(0, 100).mapToObj(claim -> first("claim" + claim)))
                .containsAll(ZONES);
    }

    @Test
    void theOrderOfTheNodesDoesNotMatterAndNoPlaceIsLost() {
        List<Map<String, String>> others = List.of(ZONES.get(2), ZONES.get(0), ZONES.get(1));

        assertThat(PlaceOrder.forClaim("db", others))
                .isEqualTo(PlaceOrder.forClaim("db", ZONES))
                .containsExactlyInAnyOrderElementsOf(ZONES);
    }

    @Test
    void everyNameHasAnOrder() {
        for (String name : List.of("", "-", "-7", "a-", "a-99999999999", "a--1", "7")) {
            assertThat(PlaceOrder.forClaim(name, ZONES)).as(name).containsExactlyInAnyOrderElementsOf(ZONES);
        }
        assertThat(PlaceOrder.forClaim("db", List.of())).isEmpty();
    }

    private static Map<String, String> first(String claim) {
        return PlaceOrder.forClaim(claim, ZONES).get(0);
    }
}
