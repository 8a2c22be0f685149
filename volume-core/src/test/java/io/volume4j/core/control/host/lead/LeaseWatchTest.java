package io.volume4j.core.control.host.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.ManualLoop;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease is looked at when what it says can have changed, and a process whose host tells of that sleeps meanwhile. */
class LeaseWatchTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualLoop loop = new ManualLoop();
    /** How long the process was sure to lead, each time when it looked. */
    private final List<Duration> looks = new ArrayList<>();

    /** A lease that ends unless the test moves its end. */
    private final class Lease implements LeaderEpoch {
        private final boolean tells;
        private final List<Runnable> listeners = new ArrayList<>();
        private Duration end = Duration.ZERO;
        private boolean broken;
        private boolean deaf;

        Lease(boolean tells) {
            this.tells = tells;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public Duration remaining() {
            if (broken) {
                throw new IllegalStateException("the lease cannot be read");
            }
            return end.minusNanos(loop.nanoTime());
        }

        @Override
        public boolean addListener(Runnable listener) {
            if (deaf) {
                throw new IllegalStateException("the lease cannot be watched");
            }
            return tells && listeners.add(listener);
        }

        @Override
        public void removeListener(Runnable listener) {
            if (broken) {
                throw new IllegalStateException("the lease cannot be read");
            }
            listeners.remove(listener);
        }

        /** It lasts that long from now on. */
        Lease lasts(Duration time) {
            end = Duration.ofNanos(loop.nanoTime()).plus(time);
            return this;
        }

        void tell() {
            new ArrayList<>(listeners).forEach(Runnable::run);
            loop.run();
        }
    }

    private LeaseWatch watch(Lease lease) {
        LeaseWatch watch = new LeaseWatch(lease, loop, () -> looks.add(lease.remaining()));
        watch.start();
        return watch;
    }

    @Test
    void standsByWithoutATimerWhereTheHostTells() {
        watch(new Lease(true));

        assertThat(looks).hasSize(1);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void looksAtOnceWhenItIsToldToLead() {
        Lease lease = new Lease(true);
        watch(lease);

        loop.advance(HOUR);
        lease.lasts(Duration.ofSeconds(15)).tell();

        assertThat(looks).hasSize(2).last().isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void looksInTheMomentInWhichTheLeaseEndsWithoutAnEvent() {
        watch(new Lease(true).lasts(Duration.ofSeconds(15)));

        loop.advance(HOUR);

        assertThat(looks).containsExactly(Duration.ofSeconds(15), Duration.ZERO);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void looksOnlyOnceALeaseEvenIfItIsRenewedAllTheTime() {
        Lease lease = new Lease(true).lasts(Duration.ofSeconds(15));
        watch(lease);

        for (int second = 0; second < 60; second++) {
            loop.advance(Duration.ofSeconds(1));
            lease.lasts(Duration.ofSeconds(15));
        }

        assertThat(looks).hasSize(1 + 4);
    }

    @Test
    void looksAtOnceWhenALeaseIsGivenUpEarly() {
        Lease lease = new Lease(true).lasts(HOUR);
        watch(lease);

        lease.lasts(Duration.ZERO).tell();

        assertThat(looks).containsExactly(HOUR, Duration.ZERO);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void asksOnceASecondWhereTheHostDoesNotTell() {
        watch(new Lease(false).lasts(Duration.ofSeconds(2)));

        loop.advance(Duration.ofSeconds(10));

        assertThat(looks).hasSize(11);
    }

    @Test
    void neverAsksForALeaseThatLastsForDaysAndIsToldOfNothing() {
        watch(new Lease(false).lasts(Duration.ofDays(300)));

        loop.advance(Duration.ofHours(23));

        assertThat(looks).hasSize(1);
    }

    @ParameterizedTest(name = "the host tells of changes: {0}")
    @ValueSource(booleans = {true, false})
    void looksAgainASecondAfterTheHostCouldNotAnswer(boolean tells) {
        Lease lease = new Lease(tells).lasts(Duration.ofSeconds(15));
        lease.broken = true;
        watch(lease);
        loop.advance(Duration.ofSeconds(1));
        assertThat(looks).isEmpty();

        lease.broken = false;
        loop.advance(Duration.ofSeconds(1));

        assertThat(looks).containsExactly(Duration.ofSeconds(13));
    }

    @Test
    void asksOnceASecondWhereTheHostCannotTell() {
        Lease lease = new Lease(true).lasts(Duration.ofSeconds(2));
        lease.deaf = true;
        watch(lease);

        loop.advance(Duration.ofSeconds(10));

        assertThat(looks).hasSize(11);
    }

    @Test
    void isClosedThoughTheHostFails() {
        Lease lease = new Lease(true).lasts(Duration.ofSeconds(15));
        LeaseWatch watch = watch(lease);
        lease.broken = true;

        watch.close();
        loop.advance(HOUR);

        assertThat(looks).hasSize(1);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void looksNoMoreOnceItIsClosed() {
        Lease lease = new Lease(true).lasts(Duration.ofSeconds(15));
        LeaseWatch watch = watch(lease);

        watch.close();
        lease.tell();
        loop.advance(HOUR);

        assertThat(looks).hasSize(1);
        assertThat(lease.listeners).isEmpty();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void aProcessThatIsAloneIsNeverToldAndNeverAsks() {
        LeaseWatch watch = new LeaseWatch(LeaderEpoch.alone(), loop, () -> looks.add(Duration.ZERO));
        watch.start();

        loop.advance(Duration.ofHours(23));

        assertThat(looks).hasSize(1);
    }
}
