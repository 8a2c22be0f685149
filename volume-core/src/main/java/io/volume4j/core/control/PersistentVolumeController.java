package io.volume4j.core.control;

import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.explain.Explanation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The life of claims and volumes on the control plane: binds claims to volumes, has volumes made for claims, and deletes,
 * empties or keeps volumes whose claims are gone. Everything is read from and written to the host's cluster; nothing has to
 * be called when objects change.
 *
 * <p>Thread-safe. Several may run over one cluster: with a {@link io.volume4j.spi.host.LeaderEpoch} one of them works and
 * the others stand by, and even without one no claim gets two volumes and no volume two claims, because the cluster's
 * compare-and-set decides.
 */
public final class PersistentVolumeController implements AutoCloseable {
    private final AgentProcess process;
    private final BindingAgent agent;

    PersistentVolumeController(AgentProcess process) {
        this.process = process;
        this.agent = process.agent();
    }

    /** Begins a controller; see the builder for what it needs. */
    public static PersistentVolumeControllerBuilder builder() {
        return new PersistentVolumeControllerBuilder();
    }

    /** Begins to reconcile; returns at once. */
    public void start() {
        agent.start();
    }

    /**
     * Completes with the volume when the claim of that name is bound, on a worker thread. The claim need not exist yet. It
     * never fails because of the claim, whose trouble may end; {@link #explain} tells of it. Closing cancels it, and
     * cancelling it changes nothing but the future.
     */
    public CompletableFuture<PersistentVolume> whenBound(ObjectKey claim) {
        return agent.whenBound(claim);
    }

    /**
     * The same, blocking for at most the timeout. The reconciling goes on after it.
     *
     * @throws VolumeException uncertain, if the claim is not bound in time; the message explains why
     */
    public PersistentVolume awaitBound(ObjectKey claim, Duration timeout) {
        CompletableFuture<PersistentVolume> future = whenBound(claim);
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            future.cancel(false);
            throw VolumeException.uncertain(
                    claim + " not bound within " + timeout.toMillis() + " ms; " + explanation(claim));
        } catch (ExecutionException failed) {
            throw VolumeException.uncertain(claim + ": " + failed.getCause()).withCause(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for " + claim);
        }
    }

    /** Why the claim or volume is as it is: what is done, what comes next, what is waited for, the last errors. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return agent.explain(object);
    }

    /** The steps that would be taken now, without taking any; works before {@link #start} as little as anything. */
    public CompletableFuture<List<PlannedStep>> plan() {
        return agent.plan().thenApply(plans -> {
            List<PlannedStep> steps = new ArrayList<>();
            plans.forEach((object, plan) -> plan.steps()
                    .forEach(step ->
                            steps.add(new PlannedStep(object, step.kind().name(), step.describe()))));
            return List.copyOf(steps);
        });
    }

    /**
     * Stops reconciling, cancels what is under way, and returns within the close timeout. What was begun is taken up by the
     * next start. Again is nothing.
     */
    @Override
    public void close() {
        closeReportingLeft();
    }

    /** Closes and returns the calls that did not end, by operation and plugin. */
    public List<String> closeReportingLeft() {
        return process.close();
    }

    private String explanation(ObjectKey claim) {
        try {
            return explain(claim).get(5, TimeUnit.SECONDS).text();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        } catch (ExecutionException | TimeoutException none) {
            return "no explanation: " + none;
        }
    }
}
