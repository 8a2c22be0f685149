package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ListBackoffTest {
    private static final Duration INFEASIBLE = Duration.ofMinutes(5);

    @Test
    void listsAreTriedAgainWithinHalfAMinuteHoweverLongTheServerWasAway() {
        Duration delay = Backoff.standard().forLists().delay(1000, FailureKind.TRANSIENT, new Random(1));

        assertThat(delay).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        assertThat(Backoff.standard().delay(1000, FailureKind.TRANSIENT, new Random(1)))
                .as("calls of plugins have the longer one")
                .isGreaterThan(Duration.ofMinutes(2));
    }

    @Test
    void aHostsOwnShorterBackoffStays() {
        Backoff shorter = new Backoff(Duration.ofMillis(1), Duration.ofSeconds(2), INFEASIBLE);
        assertThat(shorter.forLists()).isEqualTo(shorter);
    }

    @Test
    void aHostsOwnLongBackoffIsCapped() {
        Backoff longer = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(9), INFEASIBLE);
        assertThat(longer.forLists())
                .isEqualTo(new Backoff(Duration.ofSeconds(30), Duration.ofSeconds(30), INFEASIBLE));
    }
}
