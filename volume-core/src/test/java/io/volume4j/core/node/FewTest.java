package io.volume4j.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FewTest {
    /** Whatever is done, it holds what an ordinary map or set would, in the same order. */
    @Test
    void holdsWhatAnOrdinaryMapOrSetWouldInTheSameOrder() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 200; run++) {
            Map<Integer, Integer> map = Map.of();
            Set<Integer> set = Set.of();
            Map<Integer, Integer> ordinaryMap = new LinkedHashMap<>();
            Set<Integer> ordinarySet = new LinkedHashSet<>();
            for (int i = 0; i < 40; i++) {
                int key = random.nextInt(4);
                if (random.nextBoolean()) {
                    map = Few.with(map, key, i);
                    set = Few.with(set, key);
                    ordinaryMap.put(key, i);
                    ordinarySet.add(key);
                } else {
                    map = Few.without(map, key);
                    set = Few.without(set, key);
                    ordinaryMap.remove(key);
                    ordinarySet.remove(key);
                }
                assertThat(map.entrySet()).containsExactlyElementsOf(ordinaryMap.entrySet());
                assertThat(set).containsExactlyElementsOf(ordinarySet);
                assertThat(Few.copy(map).entrySet()).containsExactlyElementsOf(ordinaryMap.entrySet());
            }
        }
    }

    @Test
    void aCopyDoesNotChangeWithItsOrigin() {
        Map<String, Integer> map = Few.with(Few.with(Map.of(), "a", 1), "b", 2);
        Map<String, Integer> copy = Few.copy(map);
        Map<String, Integer> less = Few.without(map, "a");

        assertThat(less).containsOnlyKeys("b");
        assertThat(copy).containsOnlyKeys("a", "b");
    }
}
