package io.volume4j.core.control.host;

import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.Reconciler.Quiescence;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What every controller's reconciler answers, whatever it decides about. Any thread may call, but where a method says otherwise. */
public interface ControllerAgent {
    /** Begins to list, watch and reconcile. */
    void start();

    /** Whether enough is known to decide, and whether this process leads; on the loop. */
    Health health();

    /**
     * Forgets the object's failures and has it looked at. Completes with whether it is known; nothing happens while another process
     * leads.
     */
    CompletableFuture<Boolean> reconcile(ObjectKey object);

    /** Whether nothing is dirty, under way or put off, and if not, why not. */
    CompletableFuture<Quiescence> quiescence();

    /** Operations under way, and those that were written off and are still out. */
    CompletableFuture<List<PendingOperation<ObjectKey>>> pending();

    /** Completes when there is no such operation. */
    CompletableFuture<Boolean> whenIdle();

    /** Ends reconciling at once and returns the calls whose threads have not come back; on the loop. */
    List<String> end();
}
