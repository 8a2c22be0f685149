package io.volume4j.core.control.host.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long an intent of a later epoch is believed to be a later leader's. */
class NewerLeaderIntentsTest {
    private static final Self SELF = new Self(3, "p");

    private long now = 1_000;
    private Duration remaining = Duration.ofNanos(15);
    private final NewerLeaderIntents later = new NewerLeaderIntents(
            new LeaderEpoch() {
                @Override
                public long epoch() {
                    return SELF.epoch();
                }

                @Override
                public Duration remaining() {
                    return remaining;
                }
            },
            () -> now);

    @Test
    void leavesNoIntentOfItsOwnEpochOrAnEarlierOne() {
        assertThat(later.leftUntil("u", "", 3, SELF)).isEmpty();
        assertThat(later.leftUntil("u", "", 1, SELF)).isEmpty();
    }

    @Test
    void leavesALaterOneUntilTheLeaseIsOverThatItWasSureOf() {
        assertThat(later.leftUntil("u", "", 7, SELF)).hasValue(1_015);
        now = 1_010;
        assertThat(later.leftUntil("u", "", 7, SELF)).as("a renewed lease").hasValue(1_015);
        now = 1_015;
        assertThat(later.leftUntil("u", "", 7, SELF)).isEmpty();
    }

    @Test
    void believesItForEachIntentAnewAndInEachTerm() {
        later.leftUntil("u", "", 7, SELF);
        now = 1_015;
        assertThat(later.leftUntil("other", "", 7, SELF)).hasValue(1_030);
        assertThat(later.leftUntil("u", "", 8, SELF)).hasValue(1_030);
        assertThat(later.leftUntil("u", "", 8, new Self(4, "p"))).hasValue(1_030);
    }

    @Test
    void believesItForEachIntentOfAnObjectUntilTheObjectIsGone() {
        later.leftUntil("u", "", 7, SELF);
        now = 1_010;
        assertThat(later.leftUntil("u", "grow", 7, SELF)).as("another subject").hasValue(1_025);
        assertThat(later.leftUntil("u", "grow", 3, SELF)).as("its own, later").isEmpty();
        assertThat(later.leftUntil("u", "", 7, SELF)).hasValue(1_015);

        later.forget("u");

        assertThat(later.leftUntil("u", "", 7, SELF))
                .as("seen for the first time")
                .hasValue(1_025);
    }

    @Test
    void goesOnBelievingItOnceItsOwnLeaseIsOver() {
        later.leftUntil("u", "", 7, SELF);
        now = 1_020;
        remaining = Duration.ZERO;
        assertThat(later.leftUntil("u", "", 7, SELF)).isPresent();
    }

    @Test
    void believesNothingOfTheKindWhereItIsAlone() {
        remaining = LeaderEpoch.alone().remaining();
        assertThat(later.leftUntil("u", "", 7, SELF)).isEmpty();
    }
}
