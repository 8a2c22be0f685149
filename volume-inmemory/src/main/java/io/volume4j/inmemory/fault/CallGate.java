package io.volume4j.inmemory.fault;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Controls where calls of the fakes wait. The fakes wait only here, so that a simulator can schedule the calls. A
 * simulator can also simulate the death of the process here: an exception of {@link #reached} ends the call as a kill
 * would, with the effects so far. Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public interface CallGate {
    /** The phase of a call. */
    enum Phase {
        /** The call was sent and has had no effect. */
        ISSUED,
        /** The call has had half of its effect. Only for calls with two halves, such as a format. */
        HALF_DONE,
        /** The call has had its effect, but has not answered. */
        EFFECTED
    }

    /** The call has reached this phase. */
    default void reached(CallSite site, Phase phase) {}

    /**
     * Returns when a test releases the call.
     * @param context the context of the call, null for a call without one, which cannot be cancelled
     * @throws io.volume4j.spi.VolumeException uncertain, if the call was cancelled before
     */
    void hang(CallSite site, @Nullable CallContext context);

    /**
     * Returns after the delay.
     *
     * @throws io.volume4j.spi.VolumeException uncertain, if the call was cancelled before
     */
    void pause(CallSite site, Duration delay, @Nullable CallContext context);

    /** Runs the effect after the delay, independently of the call. */
    void later(CallSite site, Duration delay, Runnable effect);
}
