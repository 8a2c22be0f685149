package io.volume4j.core.node.agent;

import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.journal.JournalStatus;
import io.volume4j.core.node.Belief;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePlanner;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.NodeReconciler;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.desired.PodMounts;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.view.Forecast;
import io.volume4j.core.node.view.StepSubjects;
import io.volume4j.core.operations.PendingOperations;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.VolumeReading;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.plugin.HealthReporter.StorageHealth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements the node's half of the library. It owns the state of one event loop, and returns results as futures.
 * {@link #start} blocks for the disk and the kernel. All other methods return at once, and any thread may call them.
 */
public final class NodeAgent implements NodeReconciler {
    private final NodeParts parts;
    private final LoopRequests requests;
    /** Set before the requests end, so that a late start stops. */
    private volatile boolean closing;

    private volatile boolean released;
    /** Loop thread only. */
    private Runnable closesWatches = () -> {};
    /** Loop thread only. */
    private @Nullable WorldReading lastReading;

    /**
     * An agent that does nothing before {@link #start}.
     *
     * @param listeners called on the loop for every step; must not block
     */
    public NodeAgent(NodePorts ports, NodeOptions options, List<Consumer<VolumeTransition>> listeners) {
        this(ports, options, listeners, Seams.none());
    }

    /** The same with seams between the engine and its parts. */
    public NodeAgent(
            NodePorts ports,
            NodeOptions options,
            List<Consumer<VolumeTransition>> listeners,
            Seams<VolumeId, VolumeView, NodeStep> seams) {
        this.parts = new NodeParts(ports, options, listeners, seams);
        this.requests = parts.requests;
    }

    @Override
    public CompletableFuture<Void> start() {
        if (closing) {
            throw requests.wasClosed();
        }
        try {
            return new NodeStart(parts).start();
        } catch (Throwable failure) {
            requests.startFailed(failure);
            throw failure;
        }
    }

    @Override
    public CompletableFuture<MountedPod> whenMounted(String podUid) {
        CompletableFuture<MountedPod> future = requests.request(mounted -> {
            parts.pods.requireNotEnded(podUid);
            parts.waiters.whenMounted(podUid, mounted);
        });
        return letGoWhenGivenUp(podUid, future);
    }

    /**
     * Completes when no volume is, or may be, mounted for the pod, and the pod wants none. Fails while the mounts are
     * unknown, because unknown is not empty. So do all other queries except {@link #whenMounted}, {@link #synced} and
     * explanations.
     */
    public CompletableFuture<String> whenUnmounted(String podUid) {
        return letGoWhenGivenUp(podUid, requests.request(unmounted -> {
            requests.requireStarted();
            parts.waiters.whenUnmounted(podUid, unmounted);
        }));
    }

    private <T> CompletableFuture<T> letGoWhenGivenUp(String podUid, CompletableFuture<T> future) {
        var unused = future.whenComplete((value, failure) -> {
            // The caller may also have completed it, such as by orTimeout. The agent completes it on the loop.
            if (future.isCancelled() || !parts.loop.inLoop()) {
                parts.loop.execute(() -> parts.waiters.letGo(podUid));
            }
        });
        return future;
    }

    /** Completes with the UIDs of all pods of this node that have not ended, when all pods are known. */
    public CompletableFuture<List<String>> whenPodsKnown() {
        return requests.request(known -> parts.waiters.whenPodsKnown(parts.pods.complete(), known));
    }

    /** Completes with the pods by UID when all volumes of the node's present pods are mounted. */
    public CompletableFuture<Map<String, MountedPod>> whenAllMounted() {
        return whenPodsKnown().thenCompose(uids -> {
            Map<String, CompletableFuture<MountedPod>> each = new LinkedHashMap<>();
            uids.forEach(uid -> each.put(uid, whenMounted(uid)));
            return CompletableFuture.allOf(each.values().toArray(new CompletableFuture<?>[0]))
                    .thenApply(done -> {
                        Map<String, MountedPod> mounted = new LinkedHashMap<>();
                        each.forEach((uid, future) -> mounted.put(uid, future.join()));
                        return mounted;
                    });
        });
    }

    /** Completes when no volume is, or may be, attached or mounted on this node. */
    public CompletableFuture<Boolean> whenEmpty() {
        return requests.request(empty -> {
            requests.requireStarted();
            parts.waiters.whenEmpty(empty);
        });
    }

    /**
     * Releases the volumes that the control plane attached to this node. Completes when none of them is, or may be,
     * mounted.
     *
     * @throws IllegalStateException if the node attaches by itself: then no controller can attach its volumes to
     *     another node
     */
    public CompletableFuture<Boolean> fence() {
        if (parts.options.attachMode() != AttachMode.CONTROLLER) {
            throw new IllegalStateException(
                    "a node that attaches its volumes itself has none that a controller could give to another node");
        }
        return requests.request(fenced -> {
            requests.requireStarted();
            parts.attachments.fence();
            parts.waiters.whenFenced(fenced);
        });
    }

    @Override
    public CompletableFuture<Explanation> explainPod(String podUid, String subject) {
        return requests.ask(() -> parts.reasons.of(podUid, subject));
    }

    /** The UID of a pod of this node by its name, {@code ""} if there is none. */
    public CompletableFuture<String> podUid(String namespace, String name) {
        return requests.ask(() -> {
            String uid = parts.pods.uid(namespace, name);
            return uid == null ? "" : uid;
        });
    }

    /** Explains the state of the volume. */
    public CompletableFuture<Explanation> explainVolume(VolumeId id) {
        return requests.ask(() -> parts.reasons.of(id));
    }

    @Override
    public CompletableFuture<Boolean> quiet() {
        return requests.askStarted(() -> parts.engine.quiet() && parts.claims.idle());
    }

    /** The pod with those of its volumes that are certainly mounted. */
    public CompletableFuture<MountedPod> mounted(String podUid) {
        return requests.askStarted(() -> parts.queries.mounted(podUid));
    }

    /** The usage of the pod's volumes. Completes when every query has an answer or has timed out. */
    public CompletableFuture<List<VolumeUsage>> stats(String podUid) {
        return requests.requestStarted(usages -> parts.usage.ask(podUid, usages));
    }

    /** The health of the storage behind a plugin's volumes, as seen from this node. */
    public CompletableFuture<StorageHealth> storageHealth(String plugin) {
        return requests.requestStarted(health -> parts.usage.askStorage(
                plugin, parts.ports.plugins().byName(plugin).orElse(null), health));
    }

    /** The groups that the pod's processes need for its volumes. */
    public CompletableFuture<List<Long>> supplementalGroups(String podUid) {
        return requests.askStarted(() -> {
            ResolvedPod pod = parts.desired.pod(podUid);
            return pod == null ? List.<Long>of() : PodMounts.supplementalGroups(pod);
        });
    }

    /** Whether the volume is certainly attached to this node. */
    public CompletableFuture<Boolean> attached(VolumeId id) {
        return requests.askStarted(() -> parts.queries.attached(id));
    }

    /** Whether the volume is certainly mounted for the pod. */
    public CompletableFuture<Boolean> mounted(VolumeId id, String podUid) {
        return requests.askStarted(() -> parts.queries.mounted(id, podUid));
    }

    /** Whether the pod wants the volume. */
    public CompletableFuture<Boolean> wants(String podUid, VolumeId id) {
        return requests.ask(() -> parts.queries.wants(podUid, id));
    }

    /** The attachable volumes that a pod wants, or that are or may be attached. Sorted. */
    public CompletableFuture<List<VolumeId>> volumesInUse() {
        return requests.askStarted(parts.attachments.inUse()::sorted);
    }

    /**
     * Registers a listener for the volumes in use. It is called on the loop with the first list and after each change;
     * it must not block.
     */
    public void listenInUse(Consumer<List<VolumeId>> listener) {
        parts.attachments.inUse().listen(listener);
    }

    public void unlistenInUse(Consumer<List<VolumeId>> listener) {
        parts.attachments.inUse().unlisten(listener);
    }

    /**
     * The host, which writes the node's status, reports the volumes that the status contains.
     *
     * @throws IllegalStateException if the agent writes the status itself
     */
    public CompletableFuture<Boolean> markReportedInUse(Collection<VolumeId> volumes) {
        if (parts.ports.writer() != null) {
            throw new IllegalStateException(
                    "the node's status is written by the agent itself: it has a cluster writer");
        }
        Set<String> names = new LinkedHashSet<>();
        volumes.forEach(volume -> names.add(volume.toString()));
        return requests.ask(() -> {
            parts.attachments.vouch(names);
            return true;
        });
    }

    /**
     * Whether both states of world are complete: the mounts of the earlier run, the node and all its pods are known.
     */
    public CompletableFuture<Boolean> synced() {
        return requests.ask(this::syncedNow);
    }

    /** Whether this node can do its work. Loop thread only. */
    public Health health() {
        List<String> reasons = new ArrayList<>();
        if (!requests.started()) {
            reasons.add(requests.notStarted());
        } else {
            if (!parts.objects.complete(Kind.NODE)) {
                String trouble = parts.objects.trouble(Kind.NODE);
                reasons.add("the node's object "
                        + (trouble.isEmpty() ? "is still being read" : "cannot be read: " + trouble));
            }
            if (!parts.pods.complete()) {
                reasons.add(parts.pods.whyUnknown());
            }
        }
        return reasons.isEmpty() ? Health.working() : Health.notReady(true, reasons);
    }

    private boolean syncedNow() {
        return requests.started() && parts.objects.complete(Kind.NODE) && parts.pods.complete();
    }

    /** The steps that the node would take for every volume not in its desired state, if all of them succeeded. */
    public CompletableFuture<List<VolumePlan>> plan() {
        return requests.askStarted(() -> parts.queries.plans(parts.world::view, forecast()));
    }

    /** The same for one volume, which may be unknown to the node. */
    public CompletableFuture<VolumePlan> plan(VolumeId id) {
        return requests.askStarted(() -> {
            VolumeView view = parts.world.view(id);
            return view == null
                    ? new VolumePlan(id, id.name(), List.of(), List.of())
                    : forecast().of(view);
        });
    }

    private Forecast forecast() {
        return new Forecast(new NodePlanner(), new StepSubjects(parts.desired, parts.actual), parts.preparation);
    }

    /** The state of these volumes in both states of world, at one moment. */
    public CompletableFuture<List<VolumeReading>> read(Collection<VolumeId> volumes) {
        List<VolumeId> ids = List.copyOf(volumes);
        return requests.askStarted(() -> ids.stream()
                .map(id -> parts.queries.reading(id, parts.reasons.of(id)))
                .toList());
    }

    /** The state of the journal. */
    public CompletableFuture<JournalReading> journal() {
        return requests.askStarted(() -> {
            JournalStatus status = parts.journal.status();
            return new JournalReading(
                    status.journalBytes(),
                    status.queuedRecords(),
                    status.queuedBytes(),
                    status.awaitingSnapshot(),
                    status.outOfSpace());
        });
    }

    /** Both states of world now. */
    public CompletableFuture<NodeSnapshot> snapshotNow() {
        return requests.askStarted(() -> parts.queries.snapshot(syncedNow()));
    }

    /**
     * Both states of world now, with a revision and with which wishes are complete. For readers of the desired state:
     * before the start, the actual state is empty because it is unknown.
     */
    public CompletableFuture<WorldReading> worlds() {
        return requests.ask(this::worldsNow);
    }

    /** The same for readers of the actual state. Fails while that is unknown. */
    public CompletableFuture<WorldReading> knownWorlds() {
        return requests.askStarted(this::worldsNow);
    }

    private WorldReading worldsNow() {
        WorldReading reading = WorldReading.after(
                lastReading,
                parts.queries.snapshot(syncedNow()),
                parts.sources.clusterComplete(),
                parts.sources.stated());
        lastReading = reading;
        return reading;
    }

    /**
     * Called before the start: the host states wishes itself, and the node tears down nothing before
     * {@link #wishesStated}.
     *
     * @param besideCluster whether a cluster gives the node pods, too
     */
    public void expectWishes(boolean besideCluster) {
        parts.loop.execute(() -> parts.pods.expectWishes(besideCluster));
    }

    /** The host has stated all its wishes. */
    public void wishesStated() {
        parts.loop.execute(() -> parts.pods.stated(true));
    }

    /** Forgets the volume's failures and visits it. Returns false if the volume is unknown. */
    public CompletableFuture<Boolean> reconcile(VolumeId id) {
        return requests.ask(() -> {
            boolean known = parts.desired.volume(id) != null || parts.actual.volume(id) != null;
            if (known && !parts.options.dryRun()) {
                requests.requireStarted();
                parts.engine.forgetFailures(id);
                parts.dirty(id);
            }
            return known;
        });
    }

    /** Operations that have not ended, and abandoned operations whose thread has not returned. */
    public CompletableFuture<List<PendingOperation<VolumeId>>> pending() {
        return requests.ask(
                () -> new PendingOperations(parts.loop).of(parts.engine, (volume, step) -> volume, NodeStep::podUid));
    }

    /** Completes when no operation is under way and the threads of all abandoned operations have returned. */
    public CompletableFuture<Boolean> whenIdle() {
        return requests.request(idle -> parts.idleness.whenIdle(idle));
    }

    /** The recent events of the volume, oldest first. */
    public CompletableFuture<List<TimelineEntry>> timeline(VolumeId id) {
        return requests.askStarted(() -> parts.reports.timelines().of(id));
    }

    /** Registers a listener for every later step. It is called on the loop; it must not block. */
    public void listen(Consumer<VolumeTransition> listener) {
        parts.reports.add(listener);
    }

    public void unlisten(Consumer<VolumeTransition> listener) {
        parts.reports.remove(listener);
    }

    /** A caller's wait for the pod timed out. Returns what is missing, and writes an event for the pod. */
    public CompletableFuture<String> timedOut(String podUid) {
        return requests.ask(() -> {
            String text = parts.reasons.missing(podUid);
            ResolvedPod pod = parts.desired.pod(podUid);
            if (pod != null) {
                parts.reports.events().timedOut(pod.pod(), text);
            }
            return text;
        });
    }

    /** What is missing for each pod that does not have all its volumes. */
    public CompletableFuture<String> unmountedPods() {
        return requests.ask(parts.reasons::missing);
    }

    /** The volumes that are or may be on this node. */
    public CompletableFuture<List<VolumeId>> present() {
        return requests.askStarted(parts.actual::ids);
    }

    @Override
    public List<Belief> beliefs() {
        return Beliefs.of(parts.actual);
    }

    @Override
    public boolean stillBelieves(List<Belief> beliefs) {
        return Beliefs.hold(beliefs, parts.actual);
    }

    /**
     * Stops the agent: it takes no new steps, cancels running calls and closes the journal. Mounts stay. Completes
     * with the operations whose threads have not returned.
     */
    public CompletableFuture<List<String>> close() {
        closing = true;
        return CompletableFuture.supplyAsync(this::end, parts.loop);
    }

    /** Called before the end, so that a late start stops. */
    public void closing() {
        closing = true;
    }

    /** The same as {@link #close}, but at once. Loop thread only. Blocks for the disk, and then for the host's watches. */
    public List<String> end() {
        closing = true;
        try {
            return stop();
        } finally {
            parts.journal.close();
            released = true;
            // Behind all else: a watch that hangs must not keep the root.
            closesWatches.run();
        }
    }

    /** Whether another manager can open the root. */
    public boolean released() {
        return released;
    }

    private List<String> stop() {
        if (!requests.close()) {
            return List.of();
        }
        parts.changes.close();
        parts.attachments.close();
        parts.attachErrors.close();
        if (parts.limits != null) {
            parts.limits.close();
        }
        closesWatches = parts.objects.end();
        parts.claims.close();
        parts.waiters.failAll(requests.wasClosed());
        parts.idleness.failAll(requests.wasClosed());
        parts.watch.close();
        parts.waitingPods.close();
        parts.questions.close(requests::wasClosed);
        parts.healthQuestions.close(requests::wasClosed);
        parts.claimReads.close(requests::wasClosed);
        List<String> left = parts.engine.close();
        parts.reports.metrics().close();
        return left;
    }

    /** Fails the requests that the loop did not run before it ended. Idempotent. */
    public void ended() {
        requests.ended();
    }
}
