package io.volume4j.inmemory.fault;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a fake's call may be held. The only place in which the fakes wait, so that a simulator can put its own scheduling
 * there, and the place where it can let the process die: what {@link #reached} throws leaves the call as a killed process
 * would, with whatever it has done by then. Thread-safe.
 *
 * @since 0.1.0
 */
public interface CallGate {
    /** Where in its life a call is. */
    enum Phase {
        /** Sent; nothing has happened. */
        ISSUED,
        /** Half of the effect is there, for calls that have halves, such as a format. */
        HALF_DONE,
        /** The effect is there; the answer is not. */
        EFFECTED
    }

    /** The call has come so far. */
    default void reached(CallSite site, Phase phase) {}

    /**
     * Returns when the call is released.
     *
     * @param context null for calls that have none; they can only be released
     * @throws io.volume4j.spi.VolumeException uncertain, if the call was cancelled before
     */
    void hang(CallSite site, @Nullable CallContext context);

    /**
     * Returns after the delay.
     *
     * @throws io.volume4j.spi.VolumeException uncertain, if the call was cancelled before
     */
    void pause(CallSite site, Duration delay, @Nullable CallContext context);

    /** Runs the effect after the delay, whatever becomes of the call. */
    void later(CallSite site, Duration delay, Runnable effect);
}
