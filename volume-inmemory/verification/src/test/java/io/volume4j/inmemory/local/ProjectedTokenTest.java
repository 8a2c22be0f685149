package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For how long a token serves, and when it is renewed. */
class ProjectedTokenTest {
    @Test
    void aTokenIsKeptUntilFourFifthsOfItsLifeAndThenRenewed() {
        ContentNode node = token(3600);

        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        node.clock.advance(Duration.ofSeconds(2879));
        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        assertThat(node.read("token")).isEqualTo("token-1-robot");

        node.clock.advance(Duration.ofSeconds(1));
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    @Test
    void aTokenThatLivesLongIsRenewedEveryDay() {
        ContentNode node = token(7 * 24 * 3600);

        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(24 * 3600));
    }

    /** A node that booted without knowing the time, or whose clock runs ahead: its end is told by another clock. */
    @ParameterizedTest
    @ValueSource(longs = {365, 1, -1, -365})
    void aTokenIsNotUsedLongerThanWasAskedForWhateverTheClocksSay(long days) {
        ContentNode node = token(3600);
        node.ahead = Duration.ofDays(days);

        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        node.clock.advance(Duration.ofSeconds(2879));
        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        node.clock.advance(Duration.ofSeconds(1));
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    @ParameterizedTest
    @ValueSource(longs = {-15, -30, -45, -48 * 60})
    void aTokenIsRenewedAfterItsTimeAlthoughTheClockWasSetBack(long minutes) {
        ContentNode node = token(3600);
        node.setUp();
        node.clock.advance(Duration.ofMinutes(40));
        node.clock.step(Duration.ofMinutes(minutes));

        assertThat(node.setUp().refreshAt()).isEqualTo(node.clock.instant().plus(Duration.ofMinutes(8)));
        assertThat(node.read("token")).isEqualTo("token-1-robot");
        node.clock.advance(Duration.ofMinutes(8));
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    /** The machine may have slept. */
    @Test
    void aTokenIsRenewedWhereTheClockIsBeyondItsTime() {
        ContentNode node = token(3600);
        node.setUp();
        node.clock.step(Duration.ofMinutes(50));
        node.setUp();

        assertThat(node.read("token")).isEqualTo("token-2-robot");
        node.clock.step(Duration.ofMinutes(-50));
        assertThat(node.setUp().refreshAt())
                .as("the clock was corrected, and the new token has its time")
                .isEqualTo(node.clock.instant().plus(Duration.ofMinutes(48)));
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    @Test
    void aTokenIsRenewedAfterARestartWhereTheClockWasSetBackBehindItsBeginning() {
        ContentNode node = token(3600);
        node.clock.advance(Duration.ofDays(2));
        node.setUp();
        node.clock.step(Duration.ofDays(-2).plusSeconds(60));
        node.restart();
        node.setUp();

        assertThat(node.read("token")).isEqualTo("token-2-robot");
        node.clock.advance(Duration.ofSeconds(60));
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    @Test
    void aTokenThatCannotBeRenewedServesUntilItEnds() {
        ContentNode node = token(3600);
        node.setUp();
        node.tokensFail = VolumeException.transientFailure("the API is away");
        node.clock.advance(Duration.ofMinutes(50));

        assertThat(node.setUp().refreshAt()).isEqualTo(node.clock.instant().plusSeconds(60));
        assertThat(node.read("token")).isEqualTo("token-1-robot");

        node.clock.advance(Duration.ofMinutes(10));
        assertThat(catchThrowableOfType(VolumeException.class, node::setUp)).hasMessage("the API is away");
    }

    @Test
    void anotherAudienceIsAnotherToken() {
        ContentNode node = token(3600);
        node.setUp();
        ContentNode other = ContentNode.projected(
                List.of(Map.of("serviceAccountToken", Map.of("path", "token", "audience", "vault"))));
        other.state = node.state;

        other.setUp();

        assertThat(other.configs.tokenRequests()).hasSize(1);
    }

    @Test
    void noTokenIsRememberedOutsideOfItsVolume() {
        ContentNode node = token(3600);
        node.setUp();

        assertThat(node.state.toString()).doesNotContain("token-1");
        assertThat(node.state.values()).hasSize(1);
    }

    @Test
    void aTokenOfLessThanTenMinutesIsRefused() {
        assertThat(catchThrowableOfType(VolumeException.class, () -> token(599).setUp()))
                .hasMessageContaining("expirationSeconds must be at least 600");
    }

    private static ContentNode token(int seconds) {
        return ContentNode.projected(
                List.of(Map.of("serviceAccountToken", Map.of("path", "token", "expirationSeconds", seconds))));
    }
}
