package io.volume4j.inmemory.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    private final ManualClock clock = new ManualClock();
    private final List<String> ran = new ArrayList<>();

    @Test
    void standsStillUntilItIsAdvanced() {
        assertThat(clock.instant()).isEqualTo(ManualClock.START);
        clock.advance(Duration.ofSeconds(3));
        assertThat(clock.instant()).isEqualTo(ManualClock.START.plusSeconds(3));
    }

    @Test
    void timersRunByDueTimeThenBySettingAndSeeTheirOwnTime() {
        clock.after(
                Duration.ofSeconds(2), () -> ran.add("b at " + clock.elapsed().toSeconds()));
        clock.after(
                Duration.ofSeconds(1), () -> ran.add("a at " + clock.elapsed().toSeconds()));
        clock.after(
                Duration.ofSeconds(2), () -> ran.add("c at " + clock.elapsed().toSeconds()));

        clock.advance(Duration.ofSeconds(5));

        assertThat(ran).containsExactly("a at 1", "b at 2", "c at 2");
        assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aTimerSetByATimerRunsInTheSameAdvanceIfItFallsDue() {
        clock.after(Duration.ofSeconds(1), () -> clock.after(Duration.ofSeconds(1), () -> ran.add("second")));

        clock.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("second");
    }

    @Test
    void aCancelledTimerNeverRunsAndSaysSoOnce() {
        ManualClock.Timer timer = clock.after(Duration.ofSeconds(1), () -> ran.add("never"));

        assertThat(timer.cancel()).isTrue();
        assertThat(timer.cancel()).isFalse();
        clock.advance(Duration.ofSeconds(2));
        assertThat(ran).isEmpty();
    }

    @Test
    void aStepMovesWhatTheClockShowsAndNoTimer() {
        clock.after(Duration.ofSeconds(1), () -> ran.add("timer"));

        clock.step(Duration.ofHours(-1));

        assertThat(clock.instant()).isEqualTo(ManualClock.START.minus(Duration.ofHours(1)));
        assertThat(clock.elapsed()).isZero();
        assertThat(ran).isEmpty();
    }

    @Test
    void tellsHowLongUntilTheNextTimer() {
        assertThat(clock.untilNext()).isEmpty();
        clock.after(Duration.ofSeconds(7), () -> {});
        clock.advance(Duration.ofSeconds(3));
        assertThat(clock.untilNext()).contains(Duration.ofSeconds(4));
    }

    @Test
    void timeDoesNotRunBackwards() {
        assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofSeconds(-1)));
    }
}
