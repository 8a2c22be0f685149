package io.volume4j.core.control.host.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.ManualLoop;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A term begins with the lease or with another epoch, and ends with the lease. */
class LeadershipTest {
    private final ManualLoop loop = new ManualLoop();
    private final List<String> seen = new ArrayList<>();
    private final Lease lease = new Lease();
    private final Leadership leadership =
            new Leadership("test", lease, loop, "p", () -> seen.add("gain " + lease.epoch), () -> seen.add("loss"));

    @Test
    void tellsOfEachTermOnce() {
        leadership.watch();
        assertThat(leadership.self()).isEmpty();
        lease.says(1, 30);
        lease.says(1, 60);
        lease.says(2, 30);
        lease.says(2, 0);
        lease.says(2, -1);
        lease.says(3, 30);
        assertThat(seen).containsExactly("gain 1", "gain 2", "loss", "gain 3");
        assertThat(leadership.self()).contains(new Self(3, "p"));
    }

    @Test
    void hasNoSelfBetweenTerms() {
        leadership.watch();
        lease.says(1, 30);
        lease.says(1, 0);
        assertThat(leadership.self()).isEmpty();
    }

    private final class Lease implements LeaderEpoch {
        private final List<Runnable> listeners = new ArrayList<>();
        private long epoch;
        private Duration left = Duration.ZERO;

        void says(long newEpoch, long seconds) {
            epoch = newEpoch;
            left = Duration.ofSeconds(seconds);
            new ArrayList<>(listeners).forEach(Runnable::run);
            loop.run();
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public Duration remaining() {
            return left;
        }

        @Override
        public boolean addListener(Runnable listener) {
            return listeners.add(listener);
        }

        @Override
        public void removeListener(Runnable listener) {
            listeners.remove(listener);
        }
    }
}
