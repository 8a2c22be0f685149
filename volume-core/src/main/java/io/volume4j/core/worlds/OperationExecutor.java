package io.volume4j.core.worlds;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Executes steps: calls to plugins on worker threads, with deadlines, back-off and limits. Thread-safe.
 *
 * @param <K> the subject of operations: a volume on a node, an object of the cluster on the control plane
 * @since 0.1.0
 */
public interface OperationExecutor<K> {
    /** The operations that have not ended, and those that were written off but whose thread has not returned. */
    CompletableFuture<List<PendingOperation<K>>> pending();

    /**
     * Completes when no operation is pending. For tests, because a busy node may always have pending operations. A
     * failed step that waits for its next try is not pending.
     */
    CompletableFuture<Boolean> whenIdle();

    /** The limits of concurrent calls. */
    OperationLimits limits();

    /**
     * One operation.
     *
     * @param id the operation's id, the same in the plugin's call, in logs, and in the environment of tools that the
     *     call runs
     * @param key the subject of the operation
     * @param step the kind of step, such as {@code MOUNT}
     * @param podUid on a node, the UID of the pod that the step is for; {@code ""} for a step that concerns the key
     *     itself
     * @param attempt the number of the try, from 1, since the step last succeeded
     * @param since when the operation began, by the wall clock
     * @param deadline when the executor writes off the call, null while the call has not begun
     * @param progress the last progress that the plugin reported, {@code ""} if none
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
        /** The state of an operation. */
        public enum State {
            /** The journal writes the intent, or the call waits because the limit of concurrent calls is reached. */
            WAITING,
            RUNNING,
            /** The call missed its deadline: its outcome is uncertain, and its thread has not returned. */
            WRITTEN_OFF
        }
    }
}
