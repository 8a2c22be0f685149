package io.volume4j.examples.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.examples.benchmarks.measure.Neighbours.Shares;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeighboursTest {
    @ParameterizedTest(name = "others {0}, stolen {1} -> tolerable: {2}")
    @CsvSource({"0, 0, true", "0.05, 0.05, true", "0.06, 0, false", "0, 0.06, false", "NaN, NaN, false"})
    void aFigureIsReliedOnWhileOthersHaveNoMoreThanATwentieth(double others, double stolen, boolean tolerable) {
        assertThat(new Shares(others, stolen).tolerable()).isEqualTo(tolerable);
    }
}
