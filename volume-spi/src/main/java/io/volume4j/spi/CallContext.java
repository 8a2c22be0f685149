package io.volume4j.spi;

import java.time.Duration;

/**
 * What a call may know about itself. Belongs to one call; thread-safe.
 *
 * <p>A call past its deadline is written off: its answer will count for nothing, the volume is uncertain, and its thread
 * is replaced. Calls should end soon after {@link #cancelled()} turns true.
 *
 * @since 0.1.0
 */
public interface CallContext {
    /** Unique among all operations of this owner, also over restarts; executed tools carry it in their environment. */
    String operationId();

    /** From 1, counting the tries of this step since it last succeeded. */
    int attempt();

    /** Time left before the call is written off; zero or less afterwards. */
    Duration remaining();

    /** Whether the result is no longer wanted. */
    boolean cancelled();

    /** Runs the action when the call is cancelled, at once if it is already; on any thread, so it must not block. */
    void onCancel(Runnable action);

    /** Tells {@code explain} how far the call is. Must not carry a secret. */
    void progress(String message);
}
