package io.volume4j.core.engine;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The state of one reconciler. Every method is called on the loop, and nothing else changes the state. */
public interface World<K, V, S extends Step> {
    /** Everything that the planner needs to know about the key, null if the world knows nothing of it any more. */
    @Nullable
    V view(K key);

    /** What carries the step out; made on the loop from its state, run on a worker. Not asked for internal steps. */
    Call call(K key, S step);

    /** The step was taken: its reservations count from now on. */
    default void taken(K key, S step) {}

    /**
     * How the step ended. Internal steps end here with a success that has no value. A call that was written off is told
     * as uncertain at its deadline, and not again when its thread returns.
     */
    void completed(K key, S step, Outcome outcome);

    /**
     * Steps of keys of one group are taken up to a bound, the others later: a group is what must not be kept waiting by others.
     * {@code ""} for keys whose steps are not bounded. Always the same for a key.
     */
    default String intakeGroup(K key) {
        return "";
    }

    /** The step was taken and then not wanted any more; no call was made, though it may have been asked for. Reservations end. */
    default void abandoned(K key, S step) {}

    /**
     * What the steps of a volume have in common, from its claim to its mounts: the name of its PersistentVolume where it is known.
     * For traces only.
     */
    default String story(K key) {
        return String.valueOf(key);
    }

    /** All keys in any stable order, for the slow resync; new keys may or may not appear. */
    Iterator<K> keys();
}
