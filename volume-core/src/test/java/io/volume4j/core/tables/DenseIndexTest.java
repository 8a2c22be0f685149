package io.volume4j.core.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DenseIndexTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 30})
    void holdsWhatATableOfSetsWouldInTheSameOrder(int elements) {
        SplittableRandom random = new SplittableRandom(elements);
        for (int run = 0; run < 100; run++) {
            DenseIndex<String, Integer> index = new DenseIndex<>();
            Map<String, Set<Integer>> ordinary = new LinkedHashMap<>();
            for (int i = 0; i < 100; i++) {
                String key = "key" + random.nextInt(3);
                int element = random.nextInt(elements);
                if (random.nextBoolean()) {
                    index.add(key, element);
                    ordinary.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(element);
                } else {
                    index.remove(key, element);
                    Set<Integer> left = ordinary.getOrDefault(key, new LinkedHashSet<>());
                    left.remove(element);
                    if (left.isEmpty()) {
                        ordinary.remove(key);
                    }
                }
                assertThat(index.keys()).containsExactlyElementsOf(ordinary.keySet());
                for (int k = 0; k < 3; k++) {
                    Set<Integer> expected = ordinary.getOrDefault("key" + k, Set.of());
                    assertThat(index.get("key" + k)).containsExactlyElementsOf(expected);
                    assertThat(index.containsKey("key" + k)).isEqualTo(!expected.isEmpty());
                }
            }
        }
    }
}
