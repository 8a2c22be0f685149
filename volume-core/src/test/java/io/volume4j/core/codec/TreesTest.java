package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreesTest {
    /** As few as stand one after the other, and more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12, 13, 100})
    void aFrozenMapSaysWhatItWasFrozenFromInItsOrder(int size) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            document.put("k" + (size - i), i % 3 == 0 ? null : i);
        }
        Map<String, @Nullable Object> frozen = Trees.frozen(document);
        assertThat(frozen).isEqualTo(document).hasSameHashCodeAs(document).hasSize(size);
        assertThat(new ArrayList<>(frozen.keySet())).isEqualTo(new ArrayList<>(document.keySet()));
        assertThat(new LinkedHashMap<>(frozen)).isEqualTo(document);
        List<String> walked = new ArrayList<>();
        frozen.forEach((key, value) -> walked.add(key));
        assertThat(walked).isEqualTo(new ArrayList<>(document.keySet()));
        document.forEach((key, value) -> assertThat(frozen.get(key)).isEqualTo(value));
        assertThat(frozen.containsKey("other")).isFalse();
        assertThat(frozen.get("other")).isNull();
    }

    @Test
    void whatIsFrozenCannotBeChanged() {
        List<Object> list = new ArrayList<>(List.of("a"));
        Map<String, @Nullable Object> inner = new LinkedHashMap<>(Map.of("list", list));
        Map<String, @Nullable Object> frozen = Trees.frozen(new LinkedHashMap<>(Map.of("inner", inner)));
        list.add("b");
        inner.put("more", 1);
        assertThat(frozen).isEqualTo(Map.of("inner", Map.of("list", List.of("a"))));
        assertThatThrownBy(() -> frozen.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(frozen::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void whatIsFrozenIsSharedAndNotCopiedAgain() {
        Map<String, @Nullable Object> frozen =
                Trees.frozen(Map.of("inner", Map.of("list", List.of(Map.of("name", "a")))));
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(frozen);
        changed.put("more", 1);
        assertThat(Trees.frozen(changed).get("inner")).isSameAs(frozen.get("inner"));
        assertThat(Trees.frozen(frozen)).isSameAs(frozen);
    }

    /** Where a frozen map is put deeper, it may be too deep there. */
    @Test
    void depthIsCountedThroughWhatIsShared() {
        Map<String, @Nullable Object> deep = new LinkedHashMap<>(Map.of("leaf", 1));
        // A map in a list is two levels.
        for (int level = 2; level < Trees.MAX_DEPTH; level += 2) {
            deep = new LinkedHashMap<>(Map.of("list", List.of(deep)));
        }
        Map<String, @Nullable Object> frozen = Trees.frozen(deep);
        Map<String, @Nullable Object> deeper = frozen;
        for (int i = 0; i < 3; i++) {
            deeper = new LinkedHashMap<>(Map.of("more", deeper));
        }
        Map<String, @Nullable Object> tooDeep = deeper;
        assertThatThrownBy(() -> Trees.frozen(tooDeep)).isInstanceOf(InvalidField.class);
    }
}
