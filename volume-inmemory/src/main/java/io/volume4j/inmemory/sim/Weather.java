package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.fault.CallGate.Phase;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Random faults: their current probability, and their number. */
final class Weather {
    private static final int CERTAIN = 10_000;

    private final RandomGenerator fate;
    private Turbulence turbulence = Turbulence.none();
    private long faults;

    Weather(RandomGenerator fate) {
        this.fate = fate;
    }

    void turbulence(Turbulence value) {
        turbulence = value;
    }

    Turbulence turbulence() {
        return turbulence;
    }

    RandomGenerator fate() {
        return fate;
    }

    /** Decides with a probability of this chance in 10,000. */
    boolean happens(int chance) {
        return chance > 0 && fate.nextInt(CERTAIN) < chance;
    }

    /** The same for an event that counts as a fault. */
    boolean strikes(int chance) {
        boolean strikes = happens(chance);
        if (strikes) {
            fault();
        }
        return strikes;
    }

    /**
     * Zero, or with that chance between a millisecond and five minutes, with equal probability for each order of
     * magnitude.
     */
    Duration delay(int chance) {
        if (!strikes(chance)) {
            return Duration.ZERO;
        }
        long most = 1L << fate.nextInt(19);
        return Duration.ofMillis(1 + fate.nextLong(most));
    }

    /** Counts a fault. */
    void fault() {
        faults++;
    }

    long faults() {
        return faults;
    }

    /** A random failure of a plugin's call. */
    RuntimeException failure(CallSite site, Phase phase) {
        String text = site + ": simulated failure";
        if (phase == Phase.EFFECTED) {
            return fate.nextInt(4) == 0 ? new IllegalStateException(text) : VolumeException.uncertain(text);
        }
        return switch (fate.nextInt(6)) {
            case 0, 1 -> VolumeException.transientFailure(text);
            case 2 -> VolumeException.uncertain(text);
            case 3 -> VolumeException.of(FailureKind.IN_USE, text);
            case 4 -> new IllegalStateException(text);
            default ->
                site.call().equals("nodeExpand")
                        ? VolumeException.of(FailureKind.INFEASIBLE, text)
                        : VolumeException.finalFailure(text);
        };
    }
}
