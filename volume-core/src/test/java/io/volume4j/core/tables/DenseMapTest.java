package io.volume4j.core.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DenseMapTest {
    /** With the hash of a number that loses its last bits, so that many share one. */
    private record Key(int number, int lost) {
        @Override
        public int hashCode() {
            return number >> lost;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 15, 16, 17, 18, 40, 300, 5_000})
    void holdsWhatALinkedHashMapWouldInTheSameOrder(int keys) {
        SplittableRandom random = new SplittableRandom(keys);
        for (int lost : new int[] {0, 2, 31}) {
            if (lost == 31 && keys > 300) {
                continue; // all under one hash
            }
            Map<Key, Integer> map = new DenseMap<>();
            Map<Key, Integer> ordinary = new LinkedHashMap<>();
            for (int i = 0; i < 4 * keys + 200; i++) {
                // Grows, shrinks and grows again.
                boolean mostlyPuts = i / (keys + 10) % 2 == 0;
                Key key = new Key(random.nextInt(keys), lost);
                if (random.nextInt(10) < (mostlyPuts ? 8 : 2)) {
                    int value = i;
                    if (i % 3 == 0) {
                        assertThat(map.computeIfAbsent(key, absent -> value))
                                .isEqualTo(ordinary.computeIfAbsent(key, absent -> value));
                    } else {
                        assertThat(map.put(key, value)).isEqualTo(ordinary.put(key, value));
                    }
                } else {
                    assertThat(map.remove(key)).isEqualTo(ordinary.remove(key));
                }
                Key other = new Key(random.nextInt(keys), lost);
                assertThat(map.get(other)).isEqualTo(ordinary.get(other));
                assertThat(map.containsKey(other)).isEqualTo(ordinary.containsKey(other));
                assertThat(map).hasSameSizeAs(ordinary);
                if (i % (1 + keys / 3) == 0) {
                    assertSame(map, ordinary);
                    assertSame(new DenseMap<>(map), ordinary);
                }
            }
            assertSame(map, ordinary);
        }
    }

    private static void assertSame(Map<Key, Integer> map, Map<Key, Integer> ordinary) {
        assertThat(map.entrySet()).containsExactlyElementsOf(ordinary.entrySet());
        assertThat(map.keySet()).containsExactlyElementsOf(ordinary.keySet());
        assertThat(map.values()).containsExactlyElementsOf(ordinary.values());
        Map<Key, Integer> told = new LinkedHashMap<>();
        map.forEach(told::put);
        assertThat(told.entrySet()).containsExactlyElementsOf(ordinary.entrySet());
        ordinary.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    }

    /** As of pods that come and go beside those that stay. */
    @Test
    void findsWhatStaysWhileOthersComeAndGo() {
        Map<Integer, Integer> map = new DenseMap<>();
        for (int i = 0; i < 100_000; i++) {
            map.put(i, i);
            if (i >= 100 && i % 1_000 != 0) {
                map.remove(i - 50);
            }
        }
        for (int stays = 0; stays < 50; stays++) {
            assertThat(map.get(stays)).isEqualTo(stays);
        }
        map.keySet().forEach(key -> assertThat(map.get(key)).isEqualTo(key));
    }

    @Test
    void isEmptyAndUsableAfterClearing() {
        Map<Integer, Integer> map = new DenseMap<>();
        for (int i = 0; i < 100; i++) {
            map.put(i, i);
        }
        map.clear();
        assertThat(map).isEmpty();
        assertThat(map.get(7)).isNull();

        map.put(7, 8);

        assertThat(map.entrySet()).containsExactly(Map.entry(7, 8));
    }

    @Test
    void failsACallerThatGoesOnAfterAChange() {
        Map<Integer, Integer> map = new DenseMap<>(Map.of(1, 1));
        map.put(2, 2);
        Iterator<Integer> keys = map.keySet().iterator();
        map.put(3, 3);

        assertThatThrownBy(keys::next).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(() -> map.forEach((key, value) -> map.remove(key)))
                .isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void anotherValueOfAKeyIsNoChangeForWhoGoesThroughIt() {
        Map<Integer, Integer> map = new DenseMap<>(Map.of(1, 1));
        map.put(2, 2);

        map.keySet().forEach(key -> map.put(key, 9));

        assertThat(map.values()).containsExactly(9, 9);
    }

    @Test
    void endsAfterTheLast() {
        Iterator<Integer> keys = new DenseMap<>(Map.of(1, 1)).keySet().iterator();
        keys.next();

        assertThat(keys.hasNext()).isFalse();
        assertThatThrownBy(keys::next).isInstanceOf(NoSuchElementException.class);
    }
}
