package io.volume4j.core;

import io.volume4j.core.engine.CallThreads;
import io.volume4j.core.engine.HealthCheck;
import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.core.wishes.DirectWishes;
import io.volume4j.core.worlds.ActualStateOfWorld;
import io.volume4j.core.worlds.DesiredStateOfWorld;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.HealthReporter.StorageHealth;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the volumes of one machine match what its pods want, and keeps doing so. Pods, claims and volumes are read from the
 * host's {@link io.volume4j.spi.host.ClusterSource}; nothing has to be called when they change. A host without such objects states
 * its wishes by {@link #desiredState()} instead, or beside them.
 *
 * <p>Its futures complete on its event loop, which serves all volumes of the machine: what depends on them must not block, or
 * asks for a thread of its own with {@code thenApplyAsync} and the like.
 *
 * <p>Thread-safe. One manager for each root directory: a second one, also in another process, refuses to start. Closing
 * leaves every mount as it is; the next start finds them again.
 *
 * @since 0.1.0
 */
public final class VolumeManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeManager.class);

    private final NodeAgent agent;
    private final ThreadEventLoop loop;
    private final @Nullable CallThreads ownWorkers;
    private final ExecutorService journalWriter;
    private final Duration closeTimeout;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final Reconciler<VolumeId, VolumePlan> reconciler;
    private final OperationExecutor<VolumeId> operations;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();

    VolumeManager(
            NodeAgent agent,
            ThreadEventLoop loop,
            @Nullable CallThreads ownWorkers,
            ExecutorService journalWriter,
            Duration closeTimeout,
            @Nullable DirectWishes wishes,
            OperationLimits limits) {
        this.agent = agent;
        this.loop = loop;
        this.ownWorkers = ownWorkers;
        this.journalWriter = journalWriter;
        this.closeTimeout = closeTimeout;
        this.desired = new DirectDoor(agent, wishes);
        this.actual = new NodeActualState(agent);
        this.reconciler = new NodeReconciler(this, agent);
        this.operations = new NodeOperations(agent, limits);
    }

    /** Begins a manager; see the builder for what it needs. */
    public static VolumeManagerBuilder builder() {
        return new VolumeManagerBuilder();
    }

    /**
     * Finds out what an earlier run left and begins to reconcile. Returns when that is known; blocks for the disk and the
     * mount table until then.
     *
     * <p>Once: a start that failed may be tried again, a manager that runs or was closed is not started again.
     *
     * @throws VolumeException if the journal or the machine cannot be read, with what to do about it; if the manager is
     *     closed meanwhile
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        if (closing.get()) {
            throw new IllegalStateException(
                    "the volume manager was closed, and is not started again; build another one");
        }
        if (started.getAndSet(true)) {
            throw new IllegalStateException("the volume manager was started before; call start() once");
        }
        boolean done = false;
        try {
            await(agent.start(), closeTimeout.plus(Duration.ofMinutes(1)), "the start");
            done = true;
        } finally {
            started.set(done);
        }
    }

    /**
     * For a node with a fixed set of pods: starts, has the volumes mounted of the pods that the cluster gives the node now,
     * stops, and leaves the mounts. The manager cannot be used any more afterwards.
     *
     * @param timeout for all of it
     * @return the pods by their UIDs
     * @throws VolumeException if a pod's volumes could not be mounted, or not in time, then with what each such pod lacks; what
     *     is mounted stays mounted
     */
    public Map<String, MountedPod> runOnce(Duration timeout) {
        notNegative(timeout);
        try {
            start();
            return awaitAll(timeout);
        } finally {
            close();
        }
    }

    /**
     * Completes when all volumes that the pod's containers use are mounted, with where they are. Fails with a {@link
     * VolumeException} as soon as something happened that will not mend itself; everything else is waited out, because it
     * may. The pod need not be known yet, nor the manager have started; that the pod has ended or is gone fails it. Cancelling the future changes nothing but the
     * future.
     */
    public CompletableFuture<MountedPod> whenMounted(String podUid) {
        return agent.whenMounted(pod(podUid));
    }

    /**
     * The same, blocking for at most the timeout. The reconciling goes on after it.
     *
     * @throws VolumeException as the future fails; after the timeout uncertain, with the {@linkplain #explainPod
     *     explanation} of what is missing
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if it is called on the event loop, as by a listener
     */
    public MountedPod awaitMounted(String podUid, Duration timeout) {
        return awaitPod(whenMounted(podUid), podUid, notNegative(timeout), "mounted");
    }

    /** The pod as it is now, with those of its volumes that are certainly mounted, and what its containers find where. */
    public CompletableFuture<MountedPod> mountedVolumes(String podUid) {
        return agent.mounted(pod(podUid));
    }

    /**
     * How full the pod's volumes are, in the order of the pod: figures for those that are certainly mounted and whose plugin
     * tells them, for each other one why there are none. Asked of the plugins now; nothing is asked by itself. Completes
     * when every volume has answered or has had {@linkplain VolumeManagerBuilder#statsDeadline its time}: one whose storage
     * hangs has a failure instead, and keeps neither other volumes nor its own unmount waiting. Who asks while the same volume
     * is being asked gets that answer. Volumes that could not be resolved are missing; empty for a pod that is not known.
     */
    public CompletableFuture<List<VolumeUsage>> stats(String podUid) {
        return agent.stats(pod(podUid));
    }

    /**
     * How the storage behind all volumes of a plugin is, as this node sees it: fewer paths, say, or none. Asked now, once however
     * many ask at that time, and with {@linkplain VolumeManagerBuilder#statsDeadline its time}; nothing is decided by it. What
     * the node says of one volume comes with its {@linkplain #stats figures}.
     *
     * @param plugin its name, such as that of a CSI driver
     * @return {@link StorageHealth#notReported()} from a plugin that cannot tell; fails with a {@link VolumeException} if it
     *     could not be asked, after which what was known before still stands
     */
    public CompletableFuture<StorageHealth> storageHealth(String plugin) {
        return agent.storageHealth(plugin);
    }

    /**
     * The groups that the pod's processes need for its volumes beside those that it asks for itself: the numbers in the
     * annotation {@code pv.beta.kubernetes.io/gid} of its PersistentVolumes.
     */
    public CompletableFuture<List<Long>> supplementalGroups(String podUid) {
        return agent.supplementalGroups(pod(podUid));
    }

    /**
     * Completes when no volume is mounted for the pod any more, and none may be, and it wants none. Fails before {@link #start()} has
     * returned, as {@link #whenEmpty()} does.
     */
    public CompletableFuture<String> whenUnmounted(String podUid) {
        return agent.whenUnmounted(pod(podUid));
    }

    /**
     * The same, blocking for at most the timeout.
     *
     * @throws VolumeException as {@link #awaitMounted}
     * @throws IllegalStateException as {@link #awaitMounted}
     */
    public void awaitUnmounted(String podUid, Duration timeout) {
        awaitPod(whenUnmounted(podUid), podUid, notNegative(timeout), "unmounted");
    }

    /**
     * Completes when no volume is, or may be, attached or mounted on this node. Fails, as every question does that is about what
     * there is, with a transient {@link VolumeException} while that is not known: before {@link #start()} has returned, and for as long
     * as it has failed. The exception says why and what to do. Unknown is not empty.
     */
    public CompletableFuture<Boolean> whenEmpty() {
        return agent.whenEmpty();
    }

    /** Why the pod's volumes are as they are: what is done, what comes next, what is waited for, the last errors. */
    public CompletableFuture<Explanation> explainPod(String podUid) {
        return agent.explainPod(podUid, "pod " + podUid);
    }

    /** The same for a pod by its name; not known if no pod of this node has it. */
    public CompletableFuture<Explanation> explainPod(String namespace, String name) {
        String subject = "pod " + namespace + "/" + name;
        return agent.podUid(namespace, name).thenCompose(uid -> agent.explainPod(uid, subject));
    }

    /** Why the volume is as it is on this node. */
    public CompletableFuture<Explanation> explainVolume(VolumeId volume) {
        return agent.explainVolume(volume);
    }

    /** Whether the volume certainly is attached to this node; one that may be is not. */
    public CompletableFuture<Boolean> isAttached(VolumeId volume) {
        return agent.attached(volume);
    }

    /**
     * Volumes that the control plane must not take from this node, sorted: attachable ones that pods want, and all that are
     * or may be attached.
     */
    public CompletableFuture<List<VolumeId>> volumesInUse() {
        return agent.volumesInUse();
    }

    /**
     * Has the listener hear of {@link #volumesInUse()} as soon as it is known, which is now once {@link #start()} has returned, and
     * whenever it has changed, until the returned subscription is closed: for hosts that write the node's status themselves. Called on the event loop; must not block. What it throws is
     * logged.
     */
    public Subscription listenVolumesInUse(Consumer<List<VolumeId>> listener) {
        agent.listenInUse(listener);
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                agent.unlistenInUse(listener);
            }
        };
    }

    /**
     * For a host that gives no {@linkplain VolumeManagerBuilder#clusterWriter cluster writer} and writes {@code
     * status.volumesInUse} of its node itself: says for which volumes it has done so, in place of all that it said
     * before. In the status the host writes each volume under the name that {@link NodeVolumeNames#of} gives it. With {@code AttachMode.CONTROLLER} an attachment counts for
     * the node only while both the host says so here and the node's object shows it; what the host is about to take out of the
     * status it first leaves out here, so that nothing is mounted on the word of a status that is being changed. A host that
     * never says anything has its node's status believed alone.
     *
     * @return completes when it counts
     * @throws IllegalStateException if there is a cluster writer: then the manager reports by itself
     */
    public CompletableFuture<Boolean> markReportedInUse(Collection<VolumeId> volumes) {
        return agent.markReportedInUse(volumes);
    }

    /**
     * Whether both worlds are whole: what an earlier run left was read, and the node's object and all its pods are known. It
     * becomes false again while the cluster cannot be listed.
     */
    public CompletableFuture<Boolean> statesSynced() {
        return agent.synced();
    }

    /**
     * Whether the node works, for the probes of whatever runs the process: live if its event loop answers within {@link
     * Health#PATIENCE}, ready once what an earlier run left is known and {@linkplain #statesSynced() both worlds are whole}.
     * Waits no longer than that; on the loop it answers at once.
     *
     * @since 0.1.0
     */
    public Health health() {
        return new HealthCheck("the volume manager", loop, closing::get, agent::health).within(Health.PATIENCE);
    }

    /**
     * What would be done about each volume that is not as it should be, in the order of steps, if all calls succeeded and
     * nothing else changed. With {@link VolumeManagerBuilder#dryRun()} that is all that ever happens.
     */
    public CompletableFuture<List<VolumePlan>> plan() {
        return agent.plan();
    }

    /** Both worlds at this moment, as data and as {@linkplain NodeSnapshot#toJson() JSON}. Costs time in proportion to all volumes. */
    public CompletableFuture<NodeSnapshot> snapshot() {
        return agent.snapshotNow();
    }

    /**
     * What happened to the volume lately, oldest first: the last 64 moments of each of the 1024 volumes about which
     * something happened last; others have none.
     */
    public CompletableFuture<List<TimelineEntry>> timeline(VolumeId volume) {
        return agent.timeline(volume);
    }

    /**
     * Has the listener hear of every step that begins or ends from now on, until the returned subscription is closed. Called
     * on the event loop; must not block. What it throws is logged and has no other effect.
     */
    public Subscription listen(Consumer<VolumeTransition> listener) {
        return NodeListeners.listen(agent, listener);
    }

    /** What pods of this node want, and the door for wishes that the host states directly. */
    public DesiredStateOfWorld desiredState() {
        return desired;
    }

    /** What is, or may be, attached and mounted on this node. */
    public ActualStateOfWorld actualState() {
        return actual;
    }

    /** What makes the actual state match the desired one. */
    public Reconciler<VolumeId, VolumePlan> reconciler() {
        return reconciler;
    }

    /** What carries out the reconciler's steps. */
    public OperationExecutor<VolumeId> operationExecutor() {
        return operations;
    }

    /** Ends what it was given for. Closing is idempotent. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Volumes that are, or may be, attached or mounted here. Fails before {@link #start()} has returned, as {@link #whenEmpty()}
     * does.
     */
    public CompletableFuture<List<VolumeId>> present() {
        return agent.present();
    }

    /**
     * Stops reconciling, cancels what is under way, and returns within the close timeout whatever storage does. Mounts stay
     * as they are. Idempotent.
     */
    @Override
    public void close() {
        closeReportingLeft();
    }

    /** Closes and returns the operations that did not end in time, by id and plugin. */
    public List<String> closeReportingLeft() {
        if (closing.getAndSet(true)) {
            return List.of();
        }
        agent.closing();
        CompletableFuture<List<String>> left = loop.close(agent::end, closeTimeout);
        agent.ended();
        var unused = left.whenComplete((calls, failure) -> {
            journalWriter.shutdown();
            LOG.atInfo()
                    .addKeyValue("callsNotReturned", calls == null ? 0 : calls.size())
                    .log("node stopped: mounts stay as they are");
        });
        if (ownWorkers != null) {
            ownWorkers.close();
        }
        return left.exceptionally(failed -> {
                    LOG.warn("action=close", failed);
                    return List.of("closing the journal");
                })
                .getNow(List.of("closing the journal"));
    }

    private static String pod(String uid) {
        return Objects.requireNonNull(uid, "podUid: the UID of a pod or a job");
    }

    private static Duration notNegative(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must not be negative, but is " + timeout
                    + ": give the time that is left, or Duration.ZERO to ask without waiting");
        }
        return timeout;
    }

    private void requireOtherThread() {
        if (loop.inLoop()) {
            throw new IllegalStateException(
                    "this waits for the volume manager's event loop and was called on it: use the future instead");
        }
    }

    private Map<String, MountedPod> awaitAll(Duration timeout) {
        requireOtherThread();
        CompletableFuture<Map<String, MountedPod>> all = agent.whenAllMounted();
        try {
            return all.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            all.cancel(false);
            String reason = reason(agent.unmountedPods());
            throw VolumeException.uncertain(
                    "volumes of the node's pods not mounted within " + timeout.toMillis() + " ms; " + reason);
        } catch (ExecutionException failed) {
            throw unwrap(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for the volumes of the node's pods");
        }
    }

    private <T> T awaitPod(CompletableFuture<T> future, String podUid, Duration timeout, String what) {
        requireOtherThread();
        try {
            return future.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            future.cancel(false);
            String reason = reason(agent.timedOut(podUid));
            throw VolumeException.uncertain(
                    "volumes of pod " + podUid + " not " + what + " within " + timeout.toMillis() + " ms; " + reason);
        } catch (ExecutionException failed) {
            throw unwrap(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for pod " + podUid);
        }
    }

    /** Why a wait was in vain; the caller is told that much at least if there is no more to tell. */
    private static String reason(CompletableFuture<String> explanation) {
        try {
            return await(explanation, Duration.ofSeconds(5), "the explanation");
        } catch (VolumeException unknown) {
            return "why is not known: " + unknown.getMessage()
                    + ", which it does at most when a listener, or what depends on a future, blocks the manager's event loop";
        }
    }

    private static <T> T await(CompletableFuture<T> future, Duration timeout, String what) {
        try {
            return future.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw VolumeException.uncertain(what + " took longer than " + timeout.toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw unwrap(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for " + what);
        }
    }

    private static VolumeException unwrap(ExecutionException failed) {
        return failed.getCause() instanceof VolumeException classified
                ? classified
                : VolumeException.uncertain(String.valueOf(failed.getCause())).withCause(failed);
    }
}
