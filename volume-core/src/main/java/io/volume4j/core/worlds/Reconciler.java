package io.volume4j.core.worlds;

import io.volume4j.core.explain.Explanation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes what is there match what is wanted: it visits each key about which something changed and takes the steps that the
 * planner names. Thread-safe.
 *
 * @param <K> what is reconciled, such as a volume
 * @param <P> what would be done about a key
 * @since 0.1.0
 */
public interface Reconciler<K, P> {
    /** Begins; see {@code VolumeManager.start()}, which is the same call. */
    void start();

    /** Ends and leaves what is there; see {@code VolumeManager.close()}, which is the same call. */
    void close();

    /** What would be done about each key that is not as it should be, if all calls succeeded and nothing else changed. */
    CompletableFuture<List<P>> plan();

    /** Why the key is as it is: what is done, what comes next, what is waited for, the last errors. */
    CompletableFuture<Explanation> explain(K key);

    /**
     * Looks at the key now: forgets its failures, so that a step that waits for another try is tried at once. For a host that
     * knows that a cause has gone. Completes when the key has been marked, before any step of it ends; does nothing to a key
     * that is not known.
     */
    CompletableFuture<Boolean> reconcile(K key);

    /** Whether there is nothing to do now, and if not, why not. */
    CompletableFuture<Quiescence> quiescence();

    /**
     * Whether there is nothing to do.
     *
     * @param reasons why not, for people: operations under way, steps to come, what is waited for; empty if it is quiescent
     */
    record Quiescence(boolean quiescent, List<String> reasons) {
        public Quiescence {
            reasons = Collections.unmodifiableList(new ArrayList<>(reasons));
        }
    }
}
