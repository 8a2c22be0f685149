package io.volume4j.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FewTest {
    /** Whatever is done, it holds what an ordinary set would, in the same order. */
    @Test
    void holdsWhatAnOrdinarySetWouldInTheSameOrder() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 200; run++) {
            Set<Integer> set = Set.of();
            Set<Integer> ordinary = new LinkedHashSet<>();
            for (int i = 0; i < 40; i++) {
                int key = random.nextInt(4);
                if (random.nextBoolean()) {
                    set = Few.with(set, key);
                    ordinary.add(key);
                } else {
                    set = Few.without(set, key);
                    ordinary.remove(key);
                }
                assertThat(set).containsExactlyElementsOf(ordinary);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void losesOneKeyAfterTheOther(int keys) {
        Map<Integer, Integer> map = new LinkedHashMap<>();
        for (int i = 0; i < keys; i++) {
            map.put(i, -i);
        }
        Map<Integer, Integer> left = new LinkedHashMap<>(map);
        for (int i = 0; i <= keys; i++) {
            left.remove(i);
            map = Few.without(map, i);

            assertThat(map.entrySet()).containsExactlyElementsOf(left.entrySet());
            assertThat(Few.copy(map).entrySet()).containsExactlyElementsOf(left.entrySet());
        }
    }

    @Test
    void aCopyDoesNotChangeWithItsOrigin() {
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        Map<String, Integer> copy = Few.copy(map);
        Map<String, Integer> less = Few.without(map, "a");

        assertThat(less).containsOnlyKeys("b");
        assertThat(copy).containsOnlyKeys("a", "b");
    }
}
