package io.volume4j.spi.host;

import java.time.Duration;

/**
 * Whether this process leads, among those that could. Thread-safe; answers from memory.
 *
 * <p>A host that can tell of changes overrides {@link #addListener} and {@link #removeListener}: the library then looks when it
 * is told, and when the time is over that it was sure of, and a process that stands by sleeps. A host that does not is asked once a second.
 *
 * @since 0.1.0
 */
public interface LeaderEpoch {
    /** Grows with every new leader. */
    long epoch();

    /** How long this process is sure to lead; zero or less if it does not. */
    Duration remaining();

    /**
     * Has the listener run soon after each moment in which this process began to lead, led under another epoch, or ceased to
     * lead before the time that {@link #remaining} had named. An implementation need not report a lease that is renewed, or that ends
     * when it was to end. The listener may be run on any thread and more often than something changed; it returns at once.
     *
     * @return whether it will be run; false by default, and then the lease is looked at once a second
     */
    default boolean addListener(Runnable listener) {
        return false;
    }

    /** Ends {@link #addListener} for the very same listener; nothing if it was not added. */
    default void removeListener(Runnable listener) {}

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

            @Override
            public boolean addListener(Runnable listener) {
                return true;
            }
        };
    }
}
