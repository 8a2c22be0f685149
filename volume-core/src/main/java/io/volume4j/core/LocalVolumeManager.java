package io.volume4j.core;

import io.volume4j.core.engine.CallThreads;
import io.volume4j.core.engine.HealthCheck;
import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.core.wishes.DirectWishes;
import io.volume4j.core.worlds.ActualStateOfWorld;
import io.volume4j.core.worlds.DesiredStateOfWorld;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.core.worlds.VolumeReading;
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

/** The manager that works: a node agent with its event loop, its workers and its journal. */
final class LocalVolumeManager implements VolumeManager {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeManager.class);

    /** How long a caller whose wait was in vain waits for the reason. */
    private static final Duration EXPLAINED = Duration.ofSeconds(5);

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
    /** The last start of the agent. A caller that was interrupted, or waited too long, may wait for it again. */
    private volatile @Nullable CompletableFuture<Void> starting;

    LocalVolumeManager(
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

    @Override
    public void start() {
        beginStart();
        finishStart();
    }

    /** @throws IllegalStateException if the manager runs, or was closed */
    private void beginStart() {
        if (closing.get()) {
            throw new IllegalStateException(
                    "the volume manager was closed and cannot be started again; build another one");
        }
        if (started.getAndSet(true)) {
            throw new IllegalStateException("the volume manager was started before; call start() once");
        }
    }

    private void finishStart() {
        boolean done = false;
        try {
            @Nullable CompletableFuture<Void> begun = starting;
            if (begun == null || begun.isCompletedExceptionally()) {
                begun = agent.start();
                starting = begun;
            }
            await(begun, closeTimeout.plus(Duration.ofMinutes(1)), "the start");
            done = true;
        } finally {
            started.set(done);
        }
    }

    @Override
    public Map<String, MountedPod> runOnce(Duration timeout) {
        notNegative(timeout);
        // Outside of the block: a manager that runs must not be closed because this call is refused.
        beginStart();
        long begun = loop.nanoTime();
        try {
            finishStart();
            return awaitAll(timeout, timeout.minusNanos(loop.nanoTime() - begun));
        } finally {
            close();
        }
    }

    @Override
    public CompletableFuture<MountedPod> whenMounted(String podUid) {
        return agent.whenMounted(pod(podUid));
    }

    @Override
    public MountedPod awaitMounted(String podUid, Duration timeout) {
        return awaitPod(whenMounted(podUid), podUid, notNegative(timeout), "mounted");
    }

    @Override
    public CompletableFuture<MountedPod> mountedVolumes(String podUid) {
        return agent.mounted(pod(podUid));
    }

    @Override
    public CompletableFuture<List<VolumeUsage>> stats(String podUid) {
        return agent.stats(pod(podUid));
    }

    @Override
    public CompletableFuture<StorageHealth> storageHealth(String plugin) {
        return agent.storageHealth(plugin);
    }

    @Override
    public CompletableFuture<List<Long>> supplementalGroups(String podUid) {
        return agent.supplementalGroups(pod(podUid));
    }

    @Override
    public CompletableFuture<String> whenUnmounted(String podUid) {
        return agent.whenUnmounted(pod(podUid));
    }

    @Override
    public void awaitUnmounted(String podUid, Duration timeout) {
        awaitPod(whenUnmounted(podUid), podUid, notNegative(timeout), "unmounted");
    }

    @Override
    public CompletableFuture<Boolean> whenEmpty() {
        return agent.whenEmpty();
    }

    @Override
    public CompletableFuture<Explanation> explainPod(String podUid) {
        return agent.explainPod(podUid, "pod " + podUid);
    }

    @Override
    public CompletableFuture<Explanation> explainPod(String namespace, String name) {
        String subject = "pod " + namespace + "/" + name;
        return agent.podUid(namespace, name).thenCompose(uid -> agent.explainPod(uid, subject));
    }

    @Override
    public CompletableFuture<Explanation> explainVolume(VolumeId volume) {
        return agent.explainVolume(volume);
    }

    @Override
    public CompletableFuture<Boolean> isAttached(VolumeId volume) {
        return agent.attached(volume);
    }

    @Override
    public CompletableFuture<List<VolumeId>> volumesInUse() {
        return agent.volumesInUse();
    }

    @Override
    public Subscription listenVolumesInUse(Consumer<List<VolumeId>> listener) {
        agent.listenInUse(listener);
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                agent.unlistenInUse(listener);
            }
        };
    }

    @Override
    public CompletableFuture<Boolean> markReportedInUse(Collection<VolumeId> volumes) {
        return agent.markReportedInUse(volumes);
    }

    @Override
    public CompletableFuture<Boolean> statesSynced() {
        return agent.synced();
    }

    @Override
    public Health health() {
        return new HealthCheck("the volume manager", loop, closing::get, agent::health).within(Health.PATIENCE);
    }

    @Override
    public CompletableFuture<List<VolumePlan>> plan() {
        return agent.plan();
    }

    @Override
    public CompletableFuture<VolumePlan> plan(VolumeId volume) {
        return agent.plan(volume);
    }

    @Override
    public CompletableFuture<List<VolumeReading>> read(Collection<VolumeId> volumes) {
        return agent.read(volumes);
    }

    @Override
    public CompletableFuture<JournalReading> journal() {
        return agent.journal();
    }

    @Override
    public CompletableFuture<NodeSnapshot> snapshot() {
        return agent.snapshotNow();
    }

    @Override
    public CompletableFuture<List<TimelineEntry>> timeline(VolumeId volume) {
        return agent.timeline(volume);
    }

    @Override
    public Subscription listen(Consumer<VolumeTransition> listener) {
        return NodeListeners.listen(agent, listener);
    }

    @Override
    public DesiredStateOfWorld desiredState() {
        return desired;
    }

    @Override
    public ActualStateOfWorld actualState() {
        return actual;
    }

    @Override
    public Reconciler<VolumeId, VolumePlan> reconciler() {
        return reconciler;
    }

    @Override
    public OperationExecutor<VolumeId> operationExecutor() {
        return operations;
    }

    @Override
    public CompletableFuture<Boolean> fence() {
        return agent.fence();
    }

    @Override
    public CompletableFuture<List<VolumeId>> present() {
        return agent.present();
    }

    @Override
    public void close() {
        closeReportingLeft();
    }

    @Override
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
        boolean released = agent.released();
        if (released) {
            journalWriter.shutdown();
        }
        List<String> hangs = List.of(released ? "closing the watches of the cluster source" : "closing the journal");
        return left.exceptionally(failed -> {
                    LOG.atWarn().setCause(failed).addKeyValue("left", hangs).log("closing the node's manager failed");
                    return hangs;
                })
                .getNow(hangs);
    }

    private static String pod(String uid) {
        return Objects.requireNonNull(uid, "podUid is null: give the UID of a pod or a job");
    }

    private static Duration notNegative(Duration timeout) {
        Objects.requireNonNull(
                timeout, "timeout is null: give the time that is left, or Duration.ZERO to ask without waiting");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must not be negative, but is " + timeout
                    + ": give the time that is left, or Duration.ZERO to ask without waiting");
        }
        return timeout;
    }

    private void requireOtherThread() {
        if (loop.inLoop()) {
            throw new IllegalStateException(
                    "this call waits for the volume manager's event loop, but it was made on that loop: use the future instead");
        }
    }

    /** @param left of the timeout; zero or less if the start took it */
    private Map<String, MountedPod> awaitAll(Duration timeout, Duration left) {
        requireOtherThread();
        CompletableFuture<Map<String, MountedPod>> all = agent.whenAllMounted();
        try {
            return all.get(TimeUnit.NANOSECONDS.convert(left), TimeUnit.NANOSECONDS);
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
        if (timeout.isZero()) {
            awaitTurn();
        }
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

    /** Waits until the event loop has answered all earlier questions. It answers them in order. */
    private void awaitTurn() {
        try {
            await(agent.synced(), EXPLAINED, "the answer of the event loop");
        } catch (VolumeException unknown) {
            // the caller asks for the reason
        }
    }

    /** Why the wait failed. If the reason is not available, says at least that. */
    private static String reason(CompletableFuture<String> explanation) {
        try {
            return explanation.get(EXPLAINED.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return "the reason is unknown: the explanation took longer than " + EXPLAINED.toMillis()
                    + " ms. Usually a listener, or code that depends on a future, blocks the manager's event loop";
        } catch (ExecutionException failed) {
            return "the reason is unknown: " + unwrap(failed).getMessage();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "the reason is unknown: interrupted while waiting for the explanation";
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
