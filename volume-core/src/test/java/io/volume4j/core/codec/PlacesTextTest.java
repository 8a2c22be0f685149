package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.volume4j.spi.plugin.Places;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacesTextTest {
    private static final Places TWO =
            new Places(List.of(Map.of("region", "r1", "zone", "a"), Map.of("region", "r1", "zone", "b")));

    @Test
    void whatIsWrittenIsRead() {
        assertThat(PlacesText.read(PlacesText.write(TWO))).isEqualTo(TWO);
        assertThat(PlacesText.write(TWO))
                .isEqualTo("[{\"region\":\"r1\",\"zone\":\"a\"},{\"region\":\"r1\",\"zone\":\"b\"}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[{}]", "[{\"zone\":1}]", "zone=a", "[[]]"})
    void whatIsNoListOfPlacesIsNotTakenForEverywhere(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PlacesText.read(text));
    }

    // Places themselves.

    @Test
    void aPlaceIsReachedWithAllItsSegmentsWhateverTheCaseOfTheKeys() {
        assertThat(TWO.reach(Map.of("Region", "r1", "ZONE", "b", "rack", "7"))).isTrue();
        assertThat(TWO.reach(Map.of("region", "r1"))).isFalse();
        assertThat(TWO.reach(Map.of("region", "r2", "zone", "a"))).isFalse();
        assertThat(Places.everywhere().reach(Map.of())).isTrue();
    }

    @Test
    void whatLiesInBothHasTheSegmentsOfBoth() {
        assertThat(TWO.within(List.of(Map.of("zone", "b"), Map.of("zone", "c"), Map.of("rack", "7"))))
                .containsExactly(
                        Map.of("region", "r1", "zone", "b"),
                        Map.of("region", "r1", "zone", "a", "rack", "7"),
                        Map.of("region", "r1", "zone", "b", "rack", "7"));
        assertThat(TWO.within(List.of(Map.of("region", "r2")))).isEmpty();
        assertThat(TWO.within(List.of())).isEqualTo(TWO.any());
        assertThat(Places.everywhere().within(List.of(Map.of("zone", "c")))).containsExactly(Map.of("zone", "c"));
    }

    @Test
    void aPlaceWithoutSegmentsIsEverywhere() {
        assertThat(new Places(List.of(Map.of("zone", "a"), Map.of())).isEverywhere())
                .isTrue();
    }
}
