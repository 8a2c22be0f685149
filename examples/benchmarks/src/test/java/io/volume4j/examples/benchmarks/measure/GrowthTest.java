package io.volume4j.examples.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GrowthTest {
    private final Growth growth = Growth.ofTime("p50", "mounts");

    @Test
    void comparesTenAndAHundredTimesAsManyWithTheFewest() {
        growth.at(100, 2_000);
        growth.at(1_000, 3_000);
        growth.at(10_000, 50_000);

        assertThat(growth.base()).isEqualTo("100 mounts");
        assertThat(growth.cost()).isEqualTo("2.0 us");
        assertThat(growth.times(10)).isEqualTo("1.50 x");
        assertThat(growth.times(100)).isEqualTo("25 x");
    }

    @Test
    void inventsNothingThatWasNotMeasured() {
        growth.at(1, 2_000);
        growth.at(64, 3_000);

        assertThat(growth.times(10)).isEqualTo("-");
    }

    @Test
    void aTableOfRatiosShowsHowMuchLessSomethingIs() {
        assertThat(Figures.ratio(0.001)).isEqualTo("1/1,000 x");
        assertThat(Figures.ratio(0.5)).isEqualTo("0.50 x");
        assertThat(Figures.ratio(Double.NaN)).isEqualTo("-");
    }
}
