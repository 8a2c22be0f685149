package io.volume4j.core.engine;

import java.util.List;

/**
 * One thing that a planner wants done. A value: equal steps are the same step. Each reconciler has a sealed type of its
 * own with an enum kind.
 */
public interface Step {
    /** What kind of step it is; names it in explanations, metrics and backoff. */
    Enum<?> kind();

    /** What no other step may touch meanwhile; taken all together or not at all. */
    List<ConflictKey> conflictKeys();

    /**
     * Whether it only changes the world's own state. Such a step is done on the loop at once, without intent or call.
     */
    default boolean internal() {
        return false;
    }

    /** Whether an intent must be durable before the call. */
    default boolean needsIntent() {
        return !internal();
    }

    /**
     * Whether its success brings the key further, so that the failures of its other steps are forgotten. A step that only
     * reports or looks says no, or each report of a failure would have the failed step tried again at once.
     */
    default boolean progress() {
        return true;
    }

    /** Whether its call is cancelled as soon as the planner no longer wants it; otherwise it is left to its end. */
    default boolean cancelledWhenUnwanted() {
        return false;
    }

    /**
     * Whether its call is not made if the planner no longer wants it while it waits for its turn. To the world that is as if it
     * had changed while the intent was written ({@link World#abandoned}), so nothing that {@link World#call} does may need an
     * outcome.
     */
    default boolean withdrawnWhenUnwanted() {
        return false;
    }

    /** Tells retries of this step from those of other steps of the same key. */
    default String retryKey() {
        return kind().name();
    }

    /** In a few words for a person: {@code mount volume v for pod p}. */
    String describe();
}
