package io.volume4j.spi.host;

import java.time.Duration;

/**
 * Says whether this process is the leader. Implementations are thread-safe and answer from memory, without blocking.
 *
 * <p>A host that can report changes overrides {@link #addListener} and {@link #removeListener}. The library then asks
 * only after a report and when the last {@link #remaining()} is over, and a standby process sleeps. Otherwise the
 * library asks once a second.
 *
 * @since 0.1.0
 */
public interface LeaderEpoch {
    /** The number of the current leadership. It increases with every new leader. */
    long epoch();

    /** How long this process is certainly the leader. Zero or less if it is not. */
    Duration remaining();

    /**
     * Registers a listener for changes of leadership. The implementation runs it soon after this process became
     * leader, leads with another epoch, or lost leadership earlier than {@link #remaining} had said. It need not
     * report a renewed lease, or a lease that ends at the expected time. Any thread may run the listener, also
     * without a change. The listener returns at once.
     *
     * @return whether the implementation runs listeners; false by default, and then the library asks once a second
     */
    default boolean addListener(Runnable listener) {
        return false;
    }

    /** Removes this listener, compared by identity. Does nothing if it was not added. */
    default void removeListener(Runnable listener) {}

    /** The leadership of a process that has no competitors: it always leads. */
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
