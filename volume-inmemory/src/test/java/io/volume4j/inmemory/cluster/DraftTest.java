package io.volume4j.inmemory.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DraftTest {
    /** Few fields, as many as stand without an index, and many. */
    @ParameterizedTest
    @ValueSource(ints = {2, 12, 13, 60})
    void isAMapThatKeepsTheOrderInWhichFieldsCame(int names) {
        Random random = new Random(names);
        Map<String, @Nullable Object> plainly = new LinkedHashMap<>();
        for (int i = 0; i < names; i += 2) {
            plainly.put("f" + i, i);
        }
        Draft draft = new Draft(plainly);
        for (int turn = 0; turn < 2_000; turn++) {
            String name = "f" + random.nextInt(names);
            switch (random.nextInt(3)) {
                case 0 -> assertThat(draft.put(name, turn)).isEqualTo(plainly.put(name, turn));
                case 1 -> assertThat(draft.remove(name)).isEqualTo(plainly.remove(name));
                default -> assertThat(draft.get(name)).isEqualTo(plainly.get(name));
            }
            assertThat(draft.containsKey(name)).isEqualTo(plainly.containsKey(name));
            assertThat(draft).hasSize(plainly.size());
        }
        assertThat(draft).containsExactlyEntriesOf(plainly);
    }
}
