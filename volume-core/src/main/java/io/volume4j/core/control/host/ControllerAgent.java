package io.volume4j.core.control.host;

import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.Reconciler.Quiescence;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The common methods of all controllers' reconcilers. Any thread may call a method, unless it says otherwise. */
public interface ControllerAgent {
    /** Begins to list, watch and reconcile. */
    void start();

    /** Whether the controller knows enough to decide, and whether this process leads. Call it on the loop. */
    Health health();

    /**
     * Forgets the object's failures and marks it for a visit. Completes with whether the object is known. Does
     * nothing while another process leads.
     */
    CompletableFuture<Boolean> reconcile(ObjectKey object);

    /** Whether no object is dirty, no operation runs and no step waits for a retry; otherwise the reasons. */
    CompletableFuture<Quiescence> quiescence();

    /** The running operations, and those that were written off but have not returned. */
    CompletableFuture<List<PendingOperation<ObjectKey>>> pending();

    /** Completes when there is no such operation. */
    CompletableFuture<Boolean> whenIdle();

    /** Stops reconciling at once, and returns the calls whose threads have not returned. Call it on the loop. */
    List<String> end();
}
