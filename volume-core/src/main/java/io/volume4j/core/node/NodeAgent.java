package io.volume4j.core.node;

import io.volume4j.core.engine.Discretion;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OpenAnswers;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.journal.JournalException;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalListener;
import io.volume4j.core.journal.OpenedJournal;
import io.volume4j.core.node.ResolvedPod.ResolvedVolume;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node's half of the library, put together: it owns one loop's worth of state and answers with futures. {@link #start}
 * blocks for the disk and the kernel; everything else returns at once and may be called from anywhere.
 */
public final class NodeAgent {
    private final NodePorts ports;
    private final NodeOptions options;
    private final EventLoop loop;
    private final NodeLayout layout;
    private final Cards cards;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final ObjectCache objects;
    private final NodePods pods;
    private final NodeFormats formats;
    private final Grants grants;
    private final InUse inUse;
    private final @Nullable InUseReporter reporter;
    private final Waiters waiters;
    private final Contents contents;
    private final Preparation preparation;
    private final NodeQueries queries;
    private final UsageCalls usage;
    private final NodeFacts facts;
    private final NodeReports reports;
    private final Seams<VolumeId, VolumeView, NodeStep> seams;
    private @Nullable Running running;
    private final OpenAnswers answers = new OpenAnswers(this::wasClosed);
    private final PluginListener pluginsChanged;
    private boolean closed;
    /** Set ahead of {@code closed}, for a start that comes too late. */
    private volatile boolean closing;

    /** What exists only once the journal is open. */
    private record Running(
            OpenedJournal opened,
            NodeWorld world,
            NodeJournal journal,
            Engine<VolumeId, VolumeView, NodeStep> engine,
            Questions<VolumeId> questions,
            @Nullable AttachLimits limits) {}

    /**
     * An agent that does nothing before {@link #start}.
     *
     * @param listeners hear of every step on the loop; must not block
     */
    public NodeAgent(NodePorts ports, NodeOptions options, List<Consumer<VolumeTransition>> listeners) {
        this(ports, options, listeners, Seams.none());
    }

    /** The same with something between the engine and its parts. */
    public NodeAgent(
            NodePorts ports,
            NodeOptions options,
            List<Consumer<VolumeTransition>> listeners,
            Seams<VolumeId, VolumeView, NodeStep> seams) {
        this.seams = seams;
        this.ports = ports;
        this.options = options;
        this.loop = ports.loop();
        this.pluginsChanged = name -> loop.execute(() -> pluginChanged(name));
        this.layout = new NodeLayout(ports.root());
        this.cards = new Cards(layout, ports.machine(), ports.bootId());
        NodeMetrics metrics = new NodeMetrics(loop, ports.metrics());
        this.actual = new ActualStateOfWorld(metrics.actual());
        this.desired = new DesiredStateOfWorld(metrics.desired(actual, this::differs));
        this.facts = new NodeFacts(
                desired,
                actual,
                pod -> explainNow(pod.metadata().uid(), pod.key().toString()).text());
        NodeEvents events = new NodeEvents(ports.events(), desired, facts);
        this.reports = new NodeReports(loop, metrics, events, facts, listeners);
        Map<Kind, Selection> kinds = new LinkedHashMap<>();
        kinds.put(Kind.NODE, Selection.ofNode(ports.nodeName()));
        kinds.put(Kind.PERSISTENT_VOLUME, Selection.all());
        kinds.put(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        kinds.put(Kind.POD, Selection.ofNode(ports.nodeName()));
        this.objects = new ObjectCache(
                ports.cluster(),
                kinds,
                new CachePorts(
                        loop,
                        ports.workers(),
                        (delay, task) -> loop.schedule(delay, task),
                        failures -> options.backoff().delay(failures, FailureKind.TRANSIENT, ports.random())));
        boolean recursiveReadOnly = ports.machine() == null || ports.machine().bindsReadOnlyRecursively();
        PodResolver resolver = new PodResolver(ports.nodeName(), objects, ports.plugins(), recursiveReadOnly);
        this.pods = new NodePods(
                ports.nodeName(), objects, resolver, desired, new Changes(), options.keepTerminatedPodVolumes());
        this.contents = new Contents(loop, desired, actual, this::dirty);
        this.inUse = new InUse(loop, desired, actual, this::grantOver);
        this.formats = new NodeFormats(loop, ports.blocking(), reports::tell);
        ClusterWriter writer = ports.writer();
        this.reporter = writer == null || options.dryRun()
                ? null
                : new InUseReporter(ports, writer, options, objects, inUse::now, pods::complete, this::dirtyNamed);
        this.grants = new Grants(
                options.attachMode(),
                ports.incarnation(),
                volume -> reporter != null && reporter.mayBeTakenBack(volume),
                writer != null);
        this.preparation = new Preparation(desired, layout, ports.machine() != null, recursiveReadOnly);
        PodMounts podMounts = new PodMounts(layout, recursiveReadOnly);
        this.queries = new NodeQueries(ports.nodeName(), desired, actual, layout, podMounts);
        this.usage = new UsageCalls(desired, actual, queries, layout, ports.machine(), options.statsDeadline());
        this.waiters = new Waiters(desired, actual, queries, podMounts);
    }

    /**
     * Opens the journal, finds out what an earlier run left, and begins to reconcile. Blocks for disk and kernel; not to be
     * called on the loop. Fails if the agent is closed, before or meanwhile; it holds nothing then.
     *
     * @throws VolumeException if the journal cannot be opened or the machine cannot be read
     */
    public CompletableFuture<Void> start() {
        if (closing) {
            throw wasClosed();
        }
        JournalIdentity identity = new JournalIdentity(ports.nodeName(), ports.bootId(), ports.rootId());
        JournalListener wanted = reason -> loop.execute(this::compact);
        OpenedJournal opened = open(identity, wanted);
        Recovery recovery;
        try {
            endLeftovers();
            recovery = Recovery.of(
                    opened.replayed(),
                    new Recovery.Sources(layout, ports.machine(), cards, ports.plugins(), ports.rootId()));
        } catch (RuntimeException unreadable) {
            opened.journal().close();
            throw unreadable;
        }
        CompletableFuture<Void> started = new CompletableFuture<>();
        var unused = started.whenComplete((nothing, failure) -> {
            if (failure != null) {
                opened.journal().close();
            }
        });
        onLoop(started, () -> {
            install(opened, recovery);
            started.complete(null);
        });
        return started;
    }

    /** Only once the journal is ours: what runs while another process has it is no leftover but that process's work. */
    private void endLeftovers() {
        if (ports.machine() != null && !options.dryRun()) {
            ports.machine().endLeftovers(operationPrefix(), Duration.ofSeconds(10));
        }
    }

    private OpenedJournal open(JournalIdentity identity, JournalListener wanted) {
        try {
            return ports.journal().open(identity, wanted);
        } catch (JournalException failure) {
            throw failure.asVolumeException();
        }
    }

    private void install(OpenedJournal opened, Recovery recovery) {
        recovery.volumes().forEach(actual::put);
        recovery.mounts().forEach(actual::put);
        reports.metrics().reconstructed(recovery.rows(), recovery.unreadable());
        recovery.mounts().forEach(mount -> contents.recovered(mount.podUid()));
        formats.replay(recovery.formats());
        NodeCalls calls = new NodeCalls(ports.nodeName(), layout, ports.plugins(), ports.machine(), cards, options);
        NodeJournal journal = new NodeJournal(loop, opened.journal(), this::snapshot);
        formats.journal(journal);
        Expansions expansions = new Expansions(objects, ports.writer());
        StepSubjects subjects = new StepSubjects(desired, actual);
        NodeWorld world = new NodeWorld(
                subjects,
                new StepOutcomes(subjects, formats, journal, expansions, preparation, new Hearers()),
                new NodeViews(desired, actual, pods, grants, expansions, ports.runtime()),
                calls,
                formats,
                journal,
                grants,
                new GrantCheck(ports.cluster(), ports.nodeName(), (id, uid) -> loop.execute(() -> grantEnded(id, uid))),
                expansions,
                preparation);
        OperationExecutor executor = new OperationExecutor(
                loop,
                ports.workers(),
                options.limits(),
                new Discretion(ports.plugins()::confidentially, ports.plugins()::withoutSecrets));
        Questions<VolumeId> questions =
                new Questions<>(loop, executor, operationPrefix() + "-stats-" + ports.incarnation() + "-");
        Engine<VolumeId, VolumeView, NodeStep> engine = new Engine<>(
                loop,
                seams.world().apply(world),
                seams.planner().apply(new NodePlanner()),
                seams.intents().apply(world),
                executor,
                ports.random(),
                new Engine.Options(
                        operationPrefix(), ports.incarnation(), options.backoff(), options.resyncPerSecond()),
                new StepObserver(reports, facts, desired, waiters, questions));
        ClusterWriter writer = ports.writer();
        @Nullable
        AttachLimits limits = writer == null || options.dryRun()
                ? null
                : new AttachLimits(ports, writer, options.backoff(), objects, executor);
        running = new Running(opened, world, journal, engine, questions, limits);
        if (ports.runtime() != null) {
            ports.runtime().onChange(podUid -> loop.execute(() -> dirtyPod(podUid)));
        }
        contents.listenTo(ports.plugins().plugins());
        ports.plugins().addListener(pluginsChanged);
        objects.listener(change -> {
            if (change.key().equals(ObjectKey.node(ports.nodeName()))) {
                grants.update(change.after() instanceof Node node ? node : null).forEach(this::dirtyNamed);
                reportInUse();
                if (limits != null) {
                    limits.nodeChanged();
                }
            }
        });
        objects.listener(pods);
        actual.ids().forEach(this::dirty);
        if (!options.dryRun()) {
            engine.start();
        }
        objects.start();
        if (recovery.journalOutdated()) {
            compact();
        }
    }

    /** Completes when all volumes that the pod uses are mounted; fails early with what will not mend itself. */
    public CompletableFuture<MountedPod> whenMounted(String podUid) {
        CompletableFuture<MountedPod> future = new CompletableFuture<>();
        onLoop(future, () -> {
            if (pods.pod(podUid) != null && desired.pod(podUid) == null) {
                throw hasEnded(podUid);
            }
            waiters.whenMounted(podUid, future);
        });
        return letGoWhenCancelled(podUid, future);
    }

    /** Completes when no volume is, or may be, mounted for the pod, and it wants none. */
    public CompletableFuture<String> whenUnmounted(String podUid) {
        CompletableFuture<String> future = new CompletableFuture<>();
        onLoop(future, () -> waiters.whenUnmounted(podUid, future));
        return letGoWhenCancelled(podUid, future);
    }

    private <T> CompletableFuture<T> letGoWhenCancelled(String podUid, CompletableFuture<T> future) {
        var unused = future.whenComplete((value, failure) -> {
            if (future.isCancelled()) {
                loop.execute(() -> waiters.letGo(podUid));
            }
        });
        return future;
    }

    /** Completes when all pods of this node are known, with the UIDs of those that have not ended. */
    public CompletableFuture<List<String>> whenPodsKnown() {
        CompletableFuture<List<String>> future = new CompletableFuture<>();
        onLoop(future, () -> waiters.whenPodsKnown(pods, future));
        return future;
    }

    /** Completes when all volumes of the pods that the cluster gives the node now are mounted, with the pods by their UIDs. */
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
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        onLoop(future, () -> waiters.whenEmpty(future));
        return future;
    }

    /** Why the pod's volumes are as they are. */
    public CompletableFuture<Explanation> explainPod(String podUid, String subject) {
        CompletableFuture<Explanation> future = new CompletableFuture<>();
        onLoop(future, () -> future.complete(explainNow(podUid, subject)));
        return future;
    }

    /** The UID of a pod of this node by its name, {@code ""} if there is none. */
    public CompletableFuture<String> podUid(String namespace, String name) {
        CompletableFuture<String> future = new CompletableFuture<>();
        onLoop(future, () -> {
            String uid = pods.uid(namespace, name);
            future.complete(uid == null ? "" : uid);
        });
        return future;
    }

    /** Why the volume is as it is. */
    public CompletableFuture<Explanation> explainVolume(VolumeId id) {
        CompletableFuture<Explanation> future = new CompletableFuture<>();
        onLoop(future, () -> future.complete(running().engine().explain(id, "volume " + id)));
        return future;
    }

    /** Completes with whether nothing is to be done and nothing is under way. */
    public CompletableFuture<Boolean> quiet() {
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        onLoop(future, () -> future.complete(running().engine().quiet()));
        return future;
    }

    /** The pod with those of its volumes that are certainly mounted. */
    public CompletableFuture<MountedPod> mounted(String podUid) {
        return ask(() -> queries.mounted(podUid));
    }

    /** How full the pod's volumes are; completes when all have answered or have had their time. */
    public CompletableFuture<List<VolumeUsage>> stats(String podUid) {
        CompletableFuture<List<VolumeUsage>> future = new CompletableFuture<>();
        onLoop(future, () -> usage.ask(podUid, running().questions(), future));
        return future;
    }

    /** The groups that the pod's processes need for its volumes. */
    public CompletableFuture<List<Long>> supplementalGroups(String podUid) {
        return ask(() -> {
            ResolvedPod pod = desired.pod(podUid);
            return pod == null ? List.<Long>of() : PodMounts.supplementalGroups(pod);
        });
    }

    /** Whether the volume certainly is attached to this node. */
    public CompletableFuture<Boolean> attached(VolumeId id) {
        return ask(() -> queries.attached(id));
    }

    /** Attachable volumes that are wanted, or are or may be attached, sorted. */
    public CompletableFuture<List<VolumeId>> volumesInUse() {
        return ask(inUse::sorted);
    }

    /** Has the listener hear of it on the loop, now and after each change; it must not block. */
    public void listenInUse(Consumer<List<VolumeId>> listener) {
        inUse.listen(listener);
    }

    public void unlistenInUse(Consumer<List<VolumeId>> listener) {
        inUse.unlisten(listener);
    }

    /**
     * The host, which writes the node's status, says for which volumes it has done so.
     *
     * @throws IllegalStateException if the agent writes it itself
     */
    public CompletableFuture<Boolean> markReportedInUse(Collection<VolumeId> volumes) {
        if (ports.writer() != null) {
            throw new IllegalStateException(
                    "the node's status is written by the agent itself: it has a cluster writer");
        }
        Set<String> names = new LinkedHashSet<>();
        volumes.forEach(volume -> names.add(volume.toString()));
        return ask(() -> {
            grants.vouch(names).forEach(this::dirtyNamed);
            return true;
        });
    }

    /** Whether both worlds are whole: the earlier run's is read, and the node and all its pods are known. */
    public CompletableFuture<Boolean> synced() {
        return ask(this::syncedNow);
    }

    /** What would be done about every volume that is not as it should be, if all went well. */
    public CompletableFuture<List<VolumePlan>> plan() {
        return ask(() -> queries.plans(
                running().world()::view,
                new Forecast(new NodePlanner(), new StepSubjects(desired, actual), preparation)));
    }

    /** Both worlds as they are now. */
    public CompletableFuture<NodeSnapshot> snapshotNow() {
        return ask(() -> queries.snapshot(syncedNow()));
    }

    /** What happened to the volume lately, oldest first. */
    public CompletableFuture<List<TimelineEntry>> timeline(VolumeId id) {
        return ask(() -> reports.timelines().of(id));
    }

    /** Has the listener hear of every step from now on, on the loop; it must not block. */
    public void listen(Consumer<VolumeTransition> listener) {
        reports.add(listener);
    }

    public void unlisten(Consumer<VolumeTransition> listener) {
        reports.remove(listener);
    }

    /** Somebody waited for the pod in vain: says what is missing, and tells the people of the pod. */
    public CompletableFuture<String> timedOut(String podUid) {
        return ask(() -> {
            String text = queries.missing(podUid) + "; "
                    + explainNow(podUid, "pod " + podUid).text();
            ResolvedPod pod = desired.pod(podUid);
            if (pod != null) {
                reports.events().timedOut(pod.pod(), text);
            }
            return text;
        });
    }

    /** What each pod lacks that has not all its volumes. */
    public CompletableFuture<String> unmountedPods() {
        return ask(() -> {
            if (!pods.complete()) {
                return "the pods of the node are not known: the cluster cannot be listed";
            }
            List<String> texts = new ArrayList<>();
            for (ResolvedPod pod : desired.pods()) {
                if (!pod.pod().terminated() && !queries.whole(pod)) {
                    texts.add("pod " + pod.name() + ": " + queries.missing(pod.uid()) + "; "
                            + explainNow(pod.uid(), "pod " + pod.uid()).text());
                }
            }
            return String.join("\n", texts);
        });
    }

    private boolean differs(VolumeId id, String podUid) {
        return facts.differs(id, podUid);
    }

    private boolean syncedNow() {
        return running != null && objects.complete(Kind.NODE) && pods.complete();
    }

    private <T> CompletableFuture<T> ask(Supplier<T> question) {
        CompletableFuture<T> future = new CompletableFuture<>();
        onLoop(future, () -> future.complete(question.get()));
        return future;
    }

    /** Volumes that are or may be here. */
    public CompletableFuture<List<VolumeId>> present() {
        CompletableFuture<List<VolumeId>> future = new CompletableFuture<>();
        onLoop(future, () -> future.complete(actual.ids()));
        return future;
    }

    /** What the agent believes, for simulators; on the loop. Empty before it has started. */
    public List<Belief> beliefs() {
        List<Belief> beliefs = new ArrayList<>();
        actual.all().forEach(volume -> beliefs.add(Belief.of(volume)));
        return beliefs;
    }

    /** Whether it still believes what {@link #beliefs()} said; costs a simulator that asks after each step less than a copy. */
    public boolean stillBelieves(List<Belief> beliefs) {
        Iterator<Belief> then = beliefs.iterator();
        for (ActualVolume volume : actual.all()) {
            if (!then.hasNext() || !then.next().holdsOf(volume)) {
                return false;
            }
        }
        return !then.hasNext();
    }

    /**
     * Stops: no new step is taken, running calls are cancelled, the journal is closed. Mounts stay as they are. Completes
     * with the operations whose threads have not come back.
     */
    public CompletableFuture<List<String>> close() {
        closing = true;
        CompletableFuture<List<String>> future = new CompletableFuture<>();
        loop.execute(() -> {
            if (closed) {
                future.complete(List.of());
                return;
            }
            closed = true;
            ports.plugins().removeListener(pluginsChanged);
            if (reporter != null) {
                reporter.close();
            }
            if (running != null && running.limits() != null) {
                running.limits().close();
            }
            objects.close();
            waiters.failAll(wasClosed());
            if (running != null) {
                running.questions().close(this::wasClosed);
            }
            List<String> left = running == null ? List.of() : running.engine().close();
            future.complete(left);
        });
        return future.thenApply(left -> {
            Running open = running;
            if (open != null) {
                open.opened().journal().close();
            }
            return left;
        });
    }

    private Explanation explainNow(String podUid, String subject) {
        ResolvedPod pod = desired.pod(podUid);
        List<Explanation.StepState> steps = new ArrayList<>();
        List<String> waits = new ArrayList<>();
        Set<VolumeId> ids = new LinkedHashSet<>(actual.ofPod(podUid));
        if (pod != null) {
            pod.problems().forEach((name, problem) -> waits.add("volume " + name + ": " + problem.text()));
            for (ResolvedVolume volume : pod.volumes().values()) {
                ids.add(volume.id());
            }
        }
        for (VolumeId id : ids) {
            Explanation volume = running().engine().explain(id, id.toString());
            steps.addAll(volume.steps());
            waits.addAll(volume.waits());
        }
        if (pod == null && ids.isEmpty()) {
            return Explanation.unknown(subject, running == null ? notStarted() : pods.whyUnknown());
        }
        return new Explanation(subject, true, steps, waits);
    }

    private String notStarted() {
        return "the volume manager of node " + ports.nodeName() + " was not started";
    }

    private Running running() {
        if (running == null) {
            throw VolumeException.transientFailure(notStarted()).withAdvice("call start()");
        }
        return running;
    }

    /** Nothing is mounted for it any more, so whoever waits for that need not wait longer. */
    private VolumeException hasEnded(String podUid) {
        Pod pod = pods.pod(podUid);
        return VolumeException.finalFailure(
                pod == null
                        ? "pod " + podUid + " is no longer on node " + ports.nodeName()
                        : "pod " + pod.key().namespace() + "/" + pod.key().name() + " has ended");
    }

    private VolumeException wasClosed() {
        return VolumeException.transientFailure("the volume manager of node " + ports.nodeName() + " was closed");
    }

    /** Its loop has ended, and with it every question that it did not get to. Again is nothing. */
    public void ended() {
        answers.end();
    }

    private void onLoop(CompletableFuture<?> future, Runnable task) {
        answers.owe(future);
        loop.execute(() -> {
            if (closed) {
                future.completeExceptionally(wasClosed());
                return;
            }
            try {
                task.run();
            } catch (RuntimeException failure) {
                future.completeExceptionally(failure);
            }
        });
    }

    private void dirty(VolumeId id) {
        if (running != null && !options.dryRun()) {
            running.engine().dirty(id);
        }
    }

    /** Foreign names in the node's status are nobody's volumes here. */
    private void dirtyNamed(String volume) {
        try {
            dirty(VolumeId.parse(volume));
        } catch (IllegalArgumentException foreign) {
            // says nothing about a volume that this agent could know
        }
    }

    private void volumeForgotten() {
        waiters.checkEmpty();
        reportInUse();
    }

    private boolean grantOver(String volume) {
        return grants.over(volume);
    }

    private void grantEnded(VolumeId id, String uid) {
        grants.end(id, uid);
        reportInUse();
    }

    private void reportInUse() {
        inUse.changed();
        if (reporter != null) {
            reporter.changed();
        }
    }

    private void dirtyPod(String podUid) {
        actual.ofPod(podUid).forEach(this::dirty);
    }

    private void compact() {
        if (running != null && !closed) {
            running.journal().compact();
        }
    }

    private List<io.volume4j.core.journal.JournalEntry> snapshot() {
        return running().world().snapshot();
    }

    /** A plugin that came may do what failed for want of it. */
    private void pluginChanged(String name) {
        if (closed) {
            return;
        }
        AttachLimits limits = running().limits();
        if (limits != null) {
            limits.pluginChanged(name);
        }
        contents.listenTo(ports.plugins().plugins());
        pods.resolveAll();
        running().engine().forgetAllFailures();
    }

    private String operationPrefix() {
        return "volume4j-" + ports.rootId();
    }

    /** Passes on what steps changed. */
    private final class Hearers implements StepOutcomes.Hearers {
        @Override
        public void wrote(ApiObject stored) {
            objects.applyOwnWrite(stored);
        }

        @Override
        public void refresh(VolumeId id, String podUid, Instant when) {
            contents.refreshAt(id, podUid, when);
        }

        @Override
        public void podProgress(String podUid) {
            waiters.check(podUid);
        }

        @Override
        public void placeFree(String podUid) {
            ResolvedPod pod = desired.pod(podUid);
            if (pod != null) {
                pod.volumes().values().forEach(volume -> dirty(volume.id()));
            }
        }

        @Override
        public void forgotten() {
            volumeForgotten();
        }
    }

    /** Turns what the populator heard into dirty keys. */
    private final class Changes implements NodePods.Changes {
        @Override
        public void volume(VolumeId id) {
            dirty(id);
            reportInUse();
            VolumeId unidentified = actual.unidentifiedDevice(id);
            if (unidentified != null) {
                dirty(unidentified);
            }
            remember(id);
        }

        /** How a volume that is here is described, for when nobody describes it any more. */
        private void remember(VolumeId id) {
            DesiredVolume wanted = desired.volume(id);
            ActualVolume present = actual.volume(id);
            if (wanted != null && present != null) {
                present.migrated(wanted.volume().spec().migrated());
            }
        }

        @Override
        public void pod(String podUid) {
            dirtyPod(podUid);
            contents.resolved(podUid);
            waiters.changed(podUid);
            // Asked first: a failure is dear, and mostly nobody waits.
            if (desired.pod(podUid) == null && waiters.waitsForMounts(podUid)) {
                waiters.fail(podUid, hasEnded(podUid));
            }
        }

        @Override
        public void content(String podUid) {
            contents.changed(podUid);
        }

        @Override
        public void completeness() {
            actual.ids().forEach(NodeAgent.this::dirty);
            waiters.checkPodsKnown(pods);
            reportInUse();
        }
    }
}
