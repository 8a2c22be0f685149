package io.volume4j.core.control.host.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReferenceIndexTest {
    private static final int OBJECTS = 5;
    private static final int TARGETS = 4;

    /** Objects come, change what they name, and go; each target is named by whom a scan of all objects would find. */
    @Test
    void answersWhatAScanOfAllObjectsWould() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 50; run++) {
            ReferenceIndex<String, Integer> index = new ReferenceIndex<>();
            Map<Integer, Set<String>> named = new HashMap<>();
            Map<String, List<Integer>> inOrder = new HashMap<>();
            for (int change = 0; change < 60; change++) {
                int from = random.nextInt(OBJECTS);
                Set<String> before = named.getOrDefault(from, Set.of());
                Set<String> after = new LinkedHashSet<>();
                random.ints(random.nextInt(3), 0, TARGETS).forEach(target -> after.add("t" + target));
                index.move(from, before, after);
                named.put(from, after);
                for (int t = 0; t < TARGETS; t++) {
                    List<Integer> order = inOrder.computeIfAbsent("t" + t, target -> new ArrayList<>());
                    if (!after.contains("t" + t)) {
                        order.remove(Integer.valueOf(from));
                    } else if (!order.contains(from)) {
                        order.add(from);
                    }
                    assertThat(index.naming("t" + t)).containsExactlyElementsOf(order);
                }
            }
        }
    }

    @Test
    void takesNothingBackThatAnotherObjectNames() {
        ReferenceIndex<String, Integer> index = new ReferenceIndex<>();
        index.move(1, Set.of(), Set.of("t"));

        index.move(2, Set.of("t"), Set.of());

        assertThat(index.naming("t")).containsExactly(1);
    }

    @Test
    void countsAnObjectOnceThatIsToldTwice() {
        ReferenceIndex<String, Integer> index = new ReferenceIndex<>();
        index.move(1, Set.of(), Set.of("t"));
        index.move(1, Set.of(), Set.of("t"));
        index.move(2, Set.of(), Set.of("t"));

        assertThat(index.naming("t")).containsExactly(1, 2);
    }
}
