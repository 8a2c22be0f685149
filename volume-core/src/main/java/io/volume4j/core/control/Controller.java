package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What all controllers of the control plane have in common. Thread-safe; no argument may be null.
 *
 * <p>The builders of the controllers make those that work. A unit test of a host may implement or mock these interfaces instead; a
 * method that is added later has a default.
 *
 * @since 0.1.0
 */
public interface Controller extends AutoCloseable {
    /**
     * Begins to reconcile; returns at once. Once: what runs or was closed is not started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    void start();

    /**
     * Why the object is as it is: what is done, what comes next, what is waited for, the last errors. Fails with a transient
     * VolumeException once the controller is closed.
     *
     * @throws IllegalArgumentException for a kind of object about which the controller decides nothing, where it says so
     */
    CompletableFuture<Explanation> explain(ObjectKey object);

    /** The steps that would be taken now, without taking any; none before {@link #start} and while another process leads. */
    CompletableFuture<List<PlannedStep>> plan();

    /**
     * Whether it works and leads, for the probes of whatever runs the process. Waits at most {@link Health#PATIENCE} for the event
     * loop, which at work answers within microseconds.
     */
    Health health();

    /** What makes the cluster match what is wanted. It plans and explains objects; {@code reconcile} looks at one now. */
    Reconciler<ObjectKey, PlannedStep> reconciler();

    /** What carries out the reconciler's steps, each about an object of the cluster. */
    OperationExecutor<ObjectKey> operationExecutor();

    /**
     * Stops reconciling, cancels what is under way, and returns within the close timeout. What was begun is taken up by the
     * next start. Idempotent.
     */
    @Override
    void close();

    /** Closes and returns the calls that did not end, by operation and plugin. */
    List<String> closeReportingLeft();
}
