package io.volume4j.core.engine;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The state of one reconciler. Every method is called on the loop, and nothing else changes the state. */
public interface World<K, V, S extends Step> {
    /** The view of the key for the planner; null if the world no longer knows the key. */
    @Nullable
    V view(K key);

    /**
     * The call that executes the step. This method runs on the loop; a worker runs the call. Not used for internal
     * steps.
     */
    Call call(K key, S step);

    /** The engine took the step: its reservations are valid from now on. */
    default void taken(K key, S step) {}

    /**
     * Reports the outcome of the step. An internal step ends here with a success without value. For a written-off
     * call the outcome is uncertain and is reported at the deadline, not again when the thread returns.
     */
    void completed(K key, S step, Outcome outcome);

    /**
     * The group of the key. The engine limits the number of taken steps for each group, so that one group does not
     * delay another. {@code ""} for no limit. Constant for a key.
     */
    default String intakeGroup(K key) {
        return "";
    }

    /**
     * The engine dropped a taken step, because the planner no longer wants it. No call was made, although
     * {@link #call} may have been called. Its reservations end.
     */
    default void abandoned(K key, S step) {}

    /**
     * A text that all steps of one volume share, from its claim to its mounts: the name of its PersistentVolume if it
     * is known. For traces only.
     */
    default String story(K key) {
        return String.valueOf(key);
    }

    /** All keys in any stable order, for the slow resync. New keys may be missing. */
    Iterator<K> keys();
}
