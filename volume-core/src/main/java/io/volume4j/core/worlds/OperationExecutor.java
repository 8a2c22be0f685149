package io.volume4j.core.worlds;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Carries out steps: calls of plugins on worker threads, with deadline, back-off and limits. Thread-safe.
 *
 * @param <K> what operations are about: a volume on a node, an object of the cluster on the control plane
 * @since 0.1.0
 */
public interface OperationExecutor<K> {
    /** Operations that were taken and have not ended, and those that were written off and whose thread has not returned. */
    CompletableFuture<List<PendingOperation<K>>> pending();

    /**
     * Completes when no operation is pending. For tests: a busy node may never come to rest, and a step that failed and waits
     * for its next try is not pending.
     */
    CompletableFuture<Boolean> whenIdle();

    /** How many calls may run at once. */
    OperationLimits limits();

    /**
     * One operation.
     *
     * @param id the same in the plugin's call, in logs, and in the environment of tools that the call runs
     * @param key what it is about
     * @param step its kind, such as {@code MOUNT}
     * @param podUid on a node, of the pod that the step is for; {@code ""} for a step that concerns the key itself
     * @param attempt from 1, counting the tries since the step last succeeded
     * @param since when it was taken, by the wall clock
     * @param deadline when its call is written off, null while the call has not begun
     * @param progress what the plugin last said of it, {@code ""} if nothing
     */
    record PendingOperation<K>(
            String id,
            K key,
            String step,
            String podUid,
            int attempt,
            Instant since,
            @Nullable Instant deadline,
            State state,
            String progress) {
        /** How far an operation is. */
        public enum State {
            /** Its intent is being written, or it waits for a place among the calls. */
            WAITING,
            RUNNING,
            /** Past its deadline: its outcome counts as uncertain, and its thread has not returned. */
            WRITTEN_OFF
        }
    }
}
