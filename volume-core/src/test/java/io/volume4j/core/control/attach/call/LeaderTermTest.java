package io.volume4j.core.control.attach.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call is sent only if the lease outlasts its deadline. */
class LeaderTermTest {
    private final Lease lease = new Lease();
    private final LeaderTerm term = new LeaderTerm(lease, 1, "p");

    @ParameterizedTest(name = "lease {0} s, wanted {1} s: {2} ms")
    @CsvSource({"3600, 120, 120000", "100, 120, 90000", "10, 120, 9000", "0, 120, 1", "-5, 120, 1"})
    void givesNoCallMoreTimeThanTheLeaseHas(long left, long wanted, long given) {
        lease.left = Duration.ofSeconds(left);

        assertThat(term.deadline(Duration.ofSeconds(wanted))).isEqualTo(Duration.ofMillis(given));
    }

    @Test
    void givesTheTimeThatIsWantedWhereTheLeaseNeverEnds() {
        lease.left = ChronoUnit.FOREVER.getDuration();

        assertThat(term.deadline(Duration.ofMinutes(2))).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest(name = "lease {0} s, call {1} s, epoch {2}: sent {3}")
    @CsvSource({
        "30, 20, 1, true",
        "20, 20, 1, true",
        "19, 20, 1, false",
        "0,  20, 1, false",
        "30, 20, 2, false",
        "30,  0, 1, false",
        "0,  -1, 1, false",
        "-9, -9, 1, false",
    })
    void sendsOnlyWhatTheLeaseOutlasts(long left, long call, long epoch, boolean sent) {
        lease.left = Duration.ofSeconds(left);
        lease.epoch = epoch;

        if (sent) {
            term.mustOutlast(new Call(Duration.ofSeconds(call)));
        } else {
            assertThatThrownBy(() -> term.mustOutlast(new Call(Duration.ofSeconds(call))))
                    .isInstanceOfSatisfying(
                            VolumeException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT));
        }
    }

    @Test
    void isOverWithItsEpochOrItsLease() {
        assertThat(term.goesOn()).isTrue();
        lease.left = Duration.ZERO;
        assertThat(term.goesOn()).isFalse();
        lease.left = Duration.ofSeconds(30);
        lease.epoch = 2;
        assertThat(term.goesOn()).isFalse();
        assertThat(term.generation()).isEqualTo("1.p");
    }

    private static final class Lease implements LeaderEpoch {
        private Duration left = Duration.ofSeconds(30);
        private long epoch = 1;

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public Duration remaining() {
            return left;
        }
    }

    private record Call(Duration remaining) implements CallContext {
        @Override
        public String operationId() {
            return "op";
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public void progress(String message) {}
    }
}
