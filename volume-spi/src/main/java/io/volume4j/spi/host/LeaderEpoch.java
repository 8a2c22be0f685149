package io.volume4j.spi.host;

import java.time.Duration;

/** Whether this process leads, among those that could. Thread-safe; answers from memory. */
public interface LeaderEpoch {
    /** Grows with every new leader. */
    long epoch();

    /** How long this process is sure to lead; zero or less if it does not. */
    Duration remaining();

    /** Of a process that is alone. */
    static LeaderEpoch alone() {
        return new LeaderEpoch() {
            @Override
            public long epoch() {
                return 1;
            }

            @Override
            public Duration remaining() {
                return Duration.ofDays(365_000);
            }
        };
    }
}
