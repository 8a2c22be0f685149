package io.volume4j.core.worlds;

import io.volume4j.core.explain.Explanation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Changes the actual state to match the desired state. It visits each changed key and takes the steps that the
 * planner decides. Thread-safe.
 *
 * @param <K> the reconciled thing, such as a volume
 * @param <P> the plan for a key
 * @since 0.1.0
 */
public interface Reconciler<K, P> {
    /** Starts reconciling. The same call as {@code VolumeManager.start()}. */
    void start();

    /** Stops reconciling, and leaves the actual state as it is. The same call as {@code VolumeManager.close()}. */
    void close();

    /**
     * The plan for each key whose actual state differs from the desired state, on the assumption that all calls
     * succeed and nothing else changes.
     */
    CompletableFuture<List<P>> plan();

    /** Explains the state of the key: current steps, next steps, reasons for waiting, and the last errors. */
    CompletableFuture<Explanation> explain(K key);

    /**
     * Reconciles the key now. Forgets its failures, so that the reconciler retries a failed step at once. For a host
     * that knows that the cause of a failure is gone. Completes when the key is marked, before any of its steps ends.
     * Does nothing for an unknown key.
     */
    CompletableFuture<Boolean> reconcile(K key);

    /** Whether the reconciler has nothing to do now, or the reasons why it has. */
    CompletableFuture<Quiescence> quiescence();

    /**
     * Whether the reconciler has nothing to do.
     * @param reasons why it is not quiescent, for people: running operations, next steps, reasons for waiting; empty
     *     if it is quiescent
     */
    record Quiescence(boolean quiescent, List<String> reasons) {
        public Quiescence {
            reasons = Collections.unmodifiableList(new ArrayList<>(reasons));
        }
    }
}
