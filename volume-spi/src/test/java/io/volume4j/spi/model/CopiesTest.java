package io.volume4j.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopiesTest {
    /** As few as stand one after the other, and more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12, 13, 100})
    void aCopyOfAMapKeepsItsEntriesAndTheirOrder(int size) {
        Map<String, Integer> source = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            source.put("k" + (size - i), i);
        }
        Map<String, Integer> copy = Copies.map(source);
        Map<String, Integer> before = new LinkedHashMap<>(source);
        source.put("later", 1);
        assertThat(copy).isEqualTo(before).hasSameHashCodeAs(before).hasToString(before.toString());
        assertThat(new ArrayList<>(copy.keySet())).isEqualTo(new ArrayList<>(before.keySet()));
        List<String> walked = new ArrayList<>();
        copy.forEach((key, value) -> walked.add(key));
        assertThat(walked).isEqualTo(new ArrayList<>(before.keySet()));
        before.forEach((key, value) -> assertThat(copy.get(key)).isEqualTo(value));
        assertThat(copy.containsKey("later")).isFalse();
        assertThat(copy.get("later")).isNull();
    }

    @Test
    void aCopyCannotBeChangedAndIsNotCopiedAgain() {
        Map<String, String> map = Copies.map(Map.of("a", "b"));
        assertThat(Copies.<String>map(map)).isSameAs(map);
        assertThatThrownBy(() -> map.put("a", "c")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> map.remove("a")).isInstanceOf(UnsupportedOperationException.class);
        List<String> source = new ArrayList<>(List.of("a"));
        List<String> list = Copies.list(source);
        source.add("b");
        assertThat(list).isEqualTo(List.of("a"));
        assertThat(Copies.<String>list(list)).isSameAs(list);
        assertThatThrownBy(() -> list.add("c")).isInstanceOf(UnsupportedOperationException.class);
    }
}
