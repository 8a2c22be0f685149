package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The common methods of all controllers of the control plane. Thread-safe. No argument may be null. The futures complete on the
 * controller's event loop, unless their method says otherwise. A dependent stage that blocks delays all work of the controller: give
 * it an executor, as in {@code thenAcceptAsync(action, executor)}. {@link #close} interrupts the controller's own workers, and so a
 * stage that runs on one of them.
 *
 * <p>The builders of the controllers make the working implementations. A unit test of a host may implement or mock
 * these interfaces. Methods that later versions add have a default implementation.
 *
 * @since 0.1.0
 */
public interface Controller extends AutoCloseable {
    /**
     * Begins to reconcile, and returns at once. A host can start a controller only once.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    void start();

    /**
     * Explains the state of the object: current steps, next steps, reasons for waiting, and the last errors. Fails
     * with a transient VolumeException after the controller is closed.
     * @throws IllegalArgumentException for a kind of object that the controller does not handle, if the controller's
     *     own documentation says so
     */
    CompletableFuture<Explanation> explain(ObjectKey object);

    /**
     * The steps that the controller would take now. Takes no step. Empty before {@link #start} and while another
     * process leads.
     */
    CompletableFuture<List<PlannedStep>> plan();

    /**
     * Whether the controller works and leads, for liveness and readiness probes. Waits at most
     * {@link Health#PATIENCE} for the event loop, which normally answers within microseconds.
     */
    Health health();

    /**
     * The reconciler of the cluster's objects. It plans and explains objects; {@code reconcile} examines one object
     * now.
     */
    Reconciler<ObjectKey, PlannedStep> reconciler();

    /** The executor of the reconciler's steps. Each step concerns one object of the cluster. */
    OperationExecutor<ObjectKey> operationExecutor();

    /**
     * Stops reconciling and cancels running operations. Returns within the close timeout. The next start continues
     * unfinished operations. Idempotent.
     */
    @Override
    void close();

    /** Closes, and returns the calls that did not end in time, with operation and plugin. */
    List<String> closeReportingLeft();
}
