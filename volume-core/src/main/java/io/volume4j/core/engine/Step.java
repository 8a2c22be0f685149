package io.volume4j.core.engine;

import java.util.List;

/**
 * One step of a plan. A value: equal steps are the same step. Each reconciler has its own sealed type with an enum
 * kind.
 */
public interface Step {
    /** The kind of the step, for explanations, metrics and back-off. */
    Enum<?> kind();

    /** The things that the step uses. The engine takes either all keys or none. */
    List<ConflictKey> conflictKeys();

    /**
     * Whether the step changes only the state of the world in memory. The engine does such a step at once on the
     * loop, without intent and call.
     */
    default boolean internal() {
        return false;
    }

    /** Whether an intent must be durable before the call. */
    default boolean needsIntent() {
        return !internal();
    }

    /**
     * Whether a success makes progress for the key, so that the engine forgets the failures of its other steps. Must
     * be false for a step that only reports or checks: otherwise each report of a failure would retry the failed step
     * at once.
     */
    default boolean progress() {
        return true;
    }

    /**
     * Whether the engine cancels the call when the planner no longer wants the step. Otherwise the call runs to its
     * end.
     */
    default boolean cancelledWhenUnwanted() {
        return false;
    }

    /**
     * Whether the engine drops a waiting call when the planner no longer wants the step. The world then gets
     * {@link World#abandoned}, as after a change during the write of the intent. Therefore {@link World#call} must
     * not do anything that needs an outcome.
     */
    default boolean withdrawnWhenUnwanted() {
        return false;
    }

    /** Identifies the retries of this step among the steps of the same key. */
    default String retryKey() {
        return kind().name();
    }

    /** A short description for people: {@code mount volume v for pod p}. */
    String describe();
}
