package io.volume4j.spi.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.mount.IdMapping.Range;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdMappingTest {
    private static final Range FIRST = new Range(0, 100_000, 65_536);

    @Test
    void saysItselfAsSubuidFilesDo() {
        assertThat(IdMapping.shifted(100_000, 65_536))
                .hasToString("users 0:100000:65536, groups 0:100000:65536")
                .isEqualTo(new IdMapping(List.of(FIRST), List.of(FIRST)));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 1", "0, -1, 1", "0, 0, 0", "4294967295, 0, 1", "0, 4294967290, 6", "9223372036854775807, 0, 1"})
    void refusesWhatIsNoRangeOfIds(long inside, long outside, long count) {
        assertThatThrownBy(() -> new Range(inside, outside, count)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesTheLastIdThatThereIs() {
        assertThat(new Range(4_294_967_294L, 0, 1).inside()).isEqualTo(4_294_967_294L);
    }

    @ParameterizedTest(name = "0:100000:65536 beside {0}:{1}:{2}, refused: {3}")
    @CsvSource({"65536, 165536, 10, false", "65535, 200000, 10, true", "70000, 165535, 10, true", "70000, 10, 5, false"
    })
    void refusesRangesThatShareAnId(long inside, long outside, long count, boolean refused) {
        List<Range> both = List.of(FIRST, new Range(inside, outside, count));

        if (refused) {
            assertThatThrownBy(() -> new IdMapping(both, List.of(FIRST))).hasMessageContaining("share an ID");
            assertThatThrownBy(() -> new IdMapping(List.of(FIRST), both)).hasMessageContaining("groups");
        } else {
            assertThat(new IdMapping(both, both).users()).hasSize(2);
        }
    }

    @Test
    void takesAsManyRangesAsTheKernelAndOneAtLeast() {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < 340; i++) {
            ranges.add(new Range(i, 1_000 + i, 1));
        }
        assertThat(new IdMapping(ranges, ranges).groups()).hasSize(340);
        ranges.add(new Range(340, 5_000, 1));

        assertThatThrownBy(() -> new IdMapping(ranges, List.of(FIRST))).hasMessageContaining("not 341");
        assertThatThrownBy(() -> new IdMapping(List.of(), List.of(FIRST))).hasMessageContaining("not 0");
    }
}
