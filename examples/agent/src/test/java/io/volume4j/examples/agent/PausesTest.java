package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PausesTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "2, 4", "3, 8", "4, 16", "5, 30", "9, 30"})
    void doubleToHalfAMinuteAndDifferByAFifthAtMost(int failuresBefore, int seconds) {
        Pauses pauses = new Pauses(new Random(7));
        for (int i = 0; i < failuresBefore; i++) {
            pauses.next();
        }
        assertThat(pauses.next().toMillis()).isBetween(seconds * 800L, seconds * 1200L);
    }

    @Test
    void twoNodesDoNotComeBackAtOneMoment() {
        assertThat(five(new Pauses(new Random(1)))).isNotEqualTo(five(new Pauses(new Random(2))));
    }

    @Test
    void beginAnewAfterASuccess() {
        Pauses pauses = new Pauses(new Random(7));
        five(pauses);
        pauses.reset();
        assertThat(pauses.next()).isLessThan(Duration.ofMillis(1201));
    }

    private static List<Duration> five(Pauses pauses) {
        List<Duration> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(pauses.next());
        }
        return all;
    }
}
