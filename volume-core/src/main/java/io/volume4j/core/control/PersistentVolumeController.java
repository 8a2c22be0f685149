package io.volume4j.core.control;

import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
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
 *
 * @since 0.1.0
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

    /**
     * Begins to reconcile; returns at once. Once: what runs or was closed is not started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        process.start();
    }

    /**
     * Completes with the volume when the claim of that name is bound, on a worker thread if one is to be had. The claim need
     * not exist yet. It never fails because of the claim, whose trouble may end; {@link #explain} tells of it. Closing fails
     * it with a transient VolumeException; cancelling it changes nothing but the future.
     */
    public CompletableFuture<PersistentVolume> whenBound(ObjectKey claim) {
        return process.answered(agent.whenBound(claim));
    }

    /**
     * The same, blocking for at most the timeout. The reconciling goes on after it.
     *
     * @throws VolumeException uncertain, if the claim is not bound in time, and the message explains why; as the future fails
     */
    public PersistentVolume awaitBound(ObjectKey claim, Duration timeout) {
        CompletableFuture<PersistentVolume> future = whenBound(claim);
        try {
            return future.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            future.cancel(false);
            throw VolumeException.uncertain(
                    claim + " not bound within " + timeout.toMillis() + " ms; " + explanation(claim));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw VolumeException.uncertain(claim + ": " + failed.getCause()).withCause(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for " + claim);
        }
    }

    /**
     * Completes when the cluster certainly holds no claim or volume of that name any more, as when a claim was deleted and its
     * volume's storage reclaimed; on a worker thread if one is to be had. What never was there is gone. An object that cannot be
     * read is not gone. It never fails because of the object; {@link #explain} tells why it stays. Closing fails it with a
     * transient VolumeException; cancelling it changes nothing but the future.
     *
     * @throws IllegalArgumentException if it is no key of a claim or a volume
     */
    public CompletableFuture<ObjectKey> whenGone(ObjectKey object) {
        if (object.kind() != Kind.PERSISTENT_VOLUME_CLAIM && object.kind() != Kind.PERSISTENT_VOLUME) {
            throw new IllegalArgumentException(
                    object + " is neither a claim nor a volume: ask for ObjectKey.claim(…) or ObjectKey.volume(…)");
        }
        return process.answered(agent.whenGone(object));
    }

    /** Why the claim or volume is as it is: what is done, what comes next, what is waited for, the last errors. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return process.answered(agent.explain(object));
    }

    /** The steps that would be taken now, without taking any; works before {@link #start} as little as anything. */
    public CompletableFuture<List<PlannedStep>> plan() {
        return process.plan();
    }

    /**
     * Gives a volume that was kept when its claim went (policy Retain) to any claim that fits, with everything that is in
     * it. Reads the store, not a cache, and completes when the change is stored; the phase follows by itself.
     *
     * <p>Fails with a {@link VolumeException}: <em>final</em>, if there is no such volume, its policy is another, its claim
     * is still there, or it may be being deleted; <em>in use</em>, if it is attached or a pod uses it; <em>transient</em>,
     * if another writer changed it or the cluster does not answer.
     */
    public CompletableFuture<PersistentVolume> release(String volumeName) {
        return process.answered(agent.requests().release(volumeName, null));
    }

    /**
     * The same as {@link #release}, but reserves the volume for the claim of that name, which need not exist yet. The claim
     * gets it and no other, if it fits.
     */
    public CompletableFuture<PersistentVolume> rebind(String volumeName, ObjectKey claim) {
        if (claim.kind() != Kind.PERSISTENT_VOLUME_CLAIM) {
            throw new IllegalArgumentException(claim + " is no claim");
        }
        return process.answered(agent.requests().release(volumeName, claim));
    }

    /**
     * Makes a claim that lost its volume one that was never bound, so that it gets another one. What it lost stays lost: only
     * call it when that is certain, for a claim whose volume comes back is bound to it again by itself.
     *
     * <p>Fails as {@link #release} does; <em>final</em> also if the claim is not lost.
     */
    public CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim) {
        return process.answered(agent.requests().repairLost(claim));
    }

    /**
     * Storage that backends hold and that no claim and no volume of this cluster tells of, as far as plugins can list what
     * they hold. It is told and never removed: another cluster may share the backend and name its volumes alike.
     */
    public CompletableFuture<List<OrphanedStorage>> orphans() {
        return process.answered(agent.requests().orphans());
    }

    /**
     * Gives an orphan an object, because a person knows what it is: with Retain a free volume, to look at or to be given
     * away with {@link #release}; with Delete a released volume, whose storage is then deleted like that of every other, by a
     * durable record and after a look at its users. Refused for what is no orphan by now, and with Delete for storage whose name does
     * not tell the UID of a claim that is gone.
     *
     * @param policy Retain or Delete
     */
    public CompletableFuture<PersistentVolume> adopt(OrphanedStorage orphan, ReclaimPolicy policy) {
        return process.answered(agent.requests().adopt(orphan.plugin(), orphan.handle(), policy));
    }

    /**
     * Whether it works and leads, for the probes of whatever runs the process. Waits at most {@link Health#PATIENCE} for the event
     * loop, which at work answers within microseconds.
     *
     * @since 0.1.0
     */
    public Health health() {
        return process.health();
    }

    /**
     * What makes the cluster match what is wanted. It plans and explains objects; {@code reconcile} looks at one now.
     *
     * @since 0.1.0
     */
    public Reconciler<ObjectKey, PlannedStep> reconciler() {
        return process.reconciler();
    }

    /**
     * What carries out the reconciler's steps, each about an object of the cluster.
     *
     * @since 0.1.0
     */
    public OperationExecutor<ObjectKey> operationExecutor() {
        return process.operations();
    }

    /**
     * Stops reconciling, cancels what is under way, and returns within the close timeout. What was begun is taken up by the
     * next start. Idempotent.
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
