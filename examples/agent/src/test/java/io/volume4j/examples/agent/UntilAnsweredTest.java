package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.explain.Health;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class UntilAnsweredTest {
    private final StopSignal stop = new StopSignal();
    private final Checks checks = new Checks();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger calls = new AtomicInteger();
    private final UntilAnswered until = new UntilAnswered(stop, checks, new Pauses(new Random(7)), nanos::get);

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"UNAVAILABLE", "FORBIDDEN"})
    void aCallIsRepeatedUntilItSucceedsAndTheProgramIsNotReadyMeanwhile(Reason reason) throws Exception {
        boolean goesOn = until.call(
                "begin",
                () -> {
                    assertThat(checks.ready().well()).isFalse();
                    assertThat(checks.live().well()).isTrue();
                    if (calls.incrementAndGet() < 2) {
                        throw new ClusterException(reason, "not yet");
                    }
                },
                null);

        assertThat(goesOn).isTrue();
        assertThat(calls).hasValue(2);
        checks.of(Health::working);
        assertThat(checks.ready().well()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"CONFLICT", "INVALID"})
    void aRefusalThatNoRepetitionChangesIsThrown(Reason reason) {
        assertThatThrownBy(() -> until.call("begin", () -> fail(reason), null)).hasMessage("no");
        assertThat(calls).hasValue(1);
    }

    @Test
    void theFailureBehindTheLimitIsThrown() {
        assertThatThrownBy(() -> until.call(
                        "begin",
                        () -> {
                            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
                            fail(Reason.UNAVAILABLE);
                        },
                        Duration.ofSeconds(3)))
                .hasMessage("no");
        assertThat(calls).hasValue(2);
    }

    /** By its clock no time passes, so each pause is the millisecond until the limit. Full pauses would take minutes. */
    @Test
    void aPauseEndsAtTheLimit() {
        assertThatThrownBy(() -> until.call(
                        "begin",
                        () -> {
                            nanos.set(
                                    calls.get() < 20 ? 0 : Duration.ofMillis(1).toNanos());
                            fail(Reason.UNAVAILABLE);
                        },
                        Duration.ofMillis(1)))
                .hasMessage("no");
        assertThat(calls).hasValue(21);
    }

    @Test
    void aProgramThatIsAskedToStopWaitsNoLonger() throws Exception {
        stop.ask();

        assertThat(until.call("begin", () -> fail(Reason.UNAVAILABLE), null)).isFalse();
        assertThat(calls).hasValue(1);
        checks.of(Health::working);
        assertThat(checks.ready().well()).isTrue();
    }

    private void fail(Reason reason) {
        calls.incrementAndGet();
        throw new ClusterException(reason, "no");
    }
}
