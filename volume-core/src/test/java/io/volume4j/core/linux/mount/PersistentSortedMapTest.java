package io.volume4j.core.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentSortedMapTest {
    private static final Comparator<Integer> ORDER = Comparator.naturalOrder();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void holdsWhatASortedMapHoldsWhateverIsPutAndRemoved(long seed) {
        Random random = new Random(seed);
        TreeMap<Integer, String> expected = new TreeMap<>();
        PersistentSortedMap<Integer, String> tree = PersistentSortedMap.empty(ORDER);
        for (int i = 0; i < 3000; i++) {
            int key = random.nextInt(200);
            if (random.nextInt(5) < 3) {
                expected.put(key, "v" + i);
                tree = tree.with(key, "v" + i);
            } else {
                expected.remove(key);
                tree = tree.without(key);
            }
            int asked = random.nextInt(200);
            assertThat(tree.get(asked)).isEqualTo(expected.get(asked));
            assertThat(valuesFrom(tree, asked, 5))
                    .isEqualTo(expected.tailMap(asked, true).values().stream()
                            .limit(5)
                            .toList());
        }
        assertThat(valuesFrom(tree, Integer.MIN_VALUE, 1000)).isEqualTo(List.copyOf(expected.values()));
    }

    @Test
    void aChangeLeavesTheOldTreeAsItWas() {
        PersistentSortedMap<Integer, String> one =
                PersistentSortedMap.<Integer, String>empty(ORDER).with(1, "one");
        PersistentSortedMap<Integer, String> two = one.with(2, "two").with(1, "other");
        PersistentSortedMap<Integer, String> none = one.without(1);
        assertThat(valuesFrom(one, 0, 10)).containsExactly("one");
        assertThat(valuesFrom(two, 0, 10)).containsExactly("other", "two");
        assertThat(valuesFrom(none, 0, 10)).isEmpty();
    }

    @Test
    void isMadeOfSortedKeysAtOnce() {
        PersistentSortedMap<Integer, String> tree =
                PersistentSortedMap.of(ORDER, List.of(1, 3, 5), List.of("a", "b", "c"));
        assertThat(tree.get(3)).isEqualTo("b");
        assertThat(tree.get(4)).isNull();
        assertThat(valuesFrom(tree.with(4, "x"), 2, 10)).containsExactly("b", "x", "c");
    }

    /** A tree that is not levelled would be as deep as it has entries, and the recursion would not survive that. */
    @Test
    void staysFlatWhenKeysComeInOrder() {
        PersistentSortedMap<Integer, String> tree = PersistentSortedMap.empty(ORDER);
        for (int i = 0; i < 100_000; i++) {
            tree = tree.with(i, "v");
        }
        for (int i = 0; i < 99_990; i++) {
            tree = tree.without(i);
        }
        assertThat(valuesFrom(tree, 0, 100)).hasSize(10);
    }

    private static List<String> valuesFrom(PersistentSortedMap<Integer, String> tree, int first, int most) {
        List<String> found = new ArrayList<>();
        tree.from(first, (key, value) -> {
            found.add(value);
            return found.size() < most;
        });
        return found;
    }
}
