package io.volume4j.spi;

import java.time.Duration;

/**
 * What the library tells a plugin about one call. Belongs to that call. Thread-safe.
 *
 * <p>The library writes off a call that misses its deadline: it ignores the answer, treats the volume as uncertain
 * and replaces the thread. Calls should end soon after {@link #cancelled()} turns true.
 *
 * @since 0.1.0
 */
public interface CallContext {
    /**
     * The id of the operation. Unique among all operations of this owner, also over restarts. The tools that the call
     * executes have it in their environment.
     */
    String operationId();

    /** The number of this try, from 1. Counts the tries of this step since it last succeeded. */
    int attempt();

    /** Time left before the library writes off the call. Zero or less afterwards. */
    Duration remaining();

    /** Whether the library no longer wants the result. */
    boolean cancelled();

    /**
     * Runs the action when the library cancels the call, or at once if the call is already cancelled. Any thread may
     * run the action, so it must not block.
     */
    void onCancel(Runnable action);

    /** Reports how far the call is; {@code explain} shows the text. The text must not contain a secret. */
    void progress(String message);
}
