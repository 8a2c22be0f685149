package io.volume4j.core.plugins.flex;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The time that a driver has for its {@code init}. */
class FlexProbeContextTest {
    /** Such a clock may start anywhere, and may overflow. */
    private long nanos = Long.MAX_VALUE - 1;

    private final FlexProbeContext call =
            FlexProbeContext.begin("example.com/disk", Instant.EPOCH, () -> nanos, Duration.ofMinutes(5));

    @Test
    void endsWhenItsTimeHasPassed() {
        assertThat(call.remaining()).isEqualTo(Duration.ofMinutes(5));
        nanos += Duration.ofMinutes(4).toNanos();
        assertThat(call.remaining()).isEqualTo(Duration.ofMinutes(1));
        nanos += Duration.ofMinutes(2).toNanos();
        assertThat(call.remaining()).isNegative();
    }

    @Test
    void hasTheLongestLimitThatAHostMayGive() {
        FlexProbeContext patient = FlexProbeContext.begin(
                "example.com/disk", Instant.EPOCH, () -> nanos, Duration.ofSeconds(Long.MAX_VALUE));

        nanos += Duration.ofDays(1).toNanos();

        assertThat(patient.remaining()).isGreaterThan(Duration.ofDays(100 * 365));
    }
}
