package io.volume4j.core.node.agent;

import io.volume4j.core.driver.DriverObjects;
import io.volume4j.core.engine.Discretion;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePlanner;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.attach.AttachErrors;
import io.volume4j.core.node.attach.AttachLimits;
import io.volume4j.core.node.attach.AttachmentExchange;
import io.volume4j.core.node.attach.GrantCheck;
import io.volume4j.core.node.call.NodeCalls;
import io.volume4j.core.node.desired.ClaimReads;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorldPopulator;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.HeapAdvice;
import io.volume4j.core.node.desired.PodMounts;
import io.volume4j.core.node.desired.PodResolver;
import io.volume4j.core.node.desired.PodSources;
import io.volume4j.core.node.report.NodeEvents;
import io.volume4j.core.node.report.NodeMetrics;
import io.volume4j.core.node.report.NodeQueries;
import io.volume4j.core.node.report.NodeReports;
import io.volume4j.core.node.report.UsageCalls;
import io.volume4j.core.node.report.VolumeWatch;
import io.volume4j.core.node.state.MountMetadataFiles;
import io.volume4j.core.node.state.NodeFormats;
import io.volume4j.core.node.state.NodeJournal;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.view.Expansions;
import io.volume4j.core.node.view.NodeViews;
import io.volume4j.core.node.view.Preparation;
import io.volume4j.core.node.view.StepSubjects;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.operations.Idleness;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates the parts of an agent and connects them. Only this class knows which part depends on which. */
final class NodeParts {
    final NodePorts ports;
    final NodeOptions options;
    final EventLoop loop;
    final NodeLayout layout;
    final MountMetadataFiles metadataFiles;
    final LeftoverProcesses tools;
    final LoopRequests requests;
    final ActualStateOfWorld actual;
    final DesiredStateOfWorld desired;
    final ObjectCache objects;
    final PodSources sources;
    final Idleness idleness;
    final RemountScheduler remounts;
    final AttachmentExchange attachments;
    final NodeQueries queries;
    final Waiters waiters;
    final ClaimReads claims;
    final NodeChanges changes;
    final DesiredStateOfWorldPopulator pods;
    final PodReasons reasons;
    final NodeReports reports;
    final NodeJournal journal;
    final NodeFormats formats;
    final Preparation preparation;
    final UsageCalls usage;
    final VolumeWatch watch;
    final WaitingPods waitingPods;
    final AttachErrors attachErrors;
    final NodeWorld world;
    final Engine<VolumeId, VolumeView, NodeStep> engine;
    /** Queries for the usage of volumes and the health of storage. */
    final Questions<VolumeId> questions;

    /** Queries for the health of volumes. */
    final Questions<VolumeId> healthQuestions;

    final Questions<ClaimReads.Use> claimReads;
    /** Null for a node that does not write attach limits itself. */
    final @Nullable AttachLimits limits;

    NodeParts(
            NodePorts ports,
            NodeOptions options,
            List<Consumer<VolumeTransition>> listeners,
            Seams<VolumeId, VolumeView, NodeStep> seams) {
        this.ports = ports;
        this.options = options;
        this.loop = ports.loop();
        this.layout = new NodeLayout(ports.root());
        this.metadataFiles = new MountMetadataFiles(layout, ports.machine(), ports.bootId());
        this.tools = LeftoverProcesses.ofNode(ports.machine(), ports.operationPrefix());
        this.requests = new LoopRequests(loop, ports.nodeName());
        OperationExecutor executor = new OperationExecutor(
                loop,
                ports.workers(),
                options.limits(),
                new Discretion(ports.plugins()::confidentially, ports.plugins()::withoutSecrets));
        this.questions = new Questions<>(loop, executor, questionIds("stats"));
        this.healthQuestions = new Questions<>(loop, executor, questionIds("health"));
        this.claimReads = new Questions<>(loop, executor, questionIds("claims"));

        NodeMetrics metrics = new NodeMetrics(loop, ports.metrics());
        this.actual = new ActualStateOfWorld(metrics.actual());
        boolean seLinux = ports.machine() == null || ports.machine().seLinux();
        this.desired = new DesiredStateOfWorld(metrics.desired(actual, this::differs), seLinux);
        this.objects = objects(ports, options);
        this.sources = new PodSources(objects);
        this.attachments = new AttachmentExchange(ports, options, objects, desired, actual, this::dirty, sources);
        boolean recursiveReadOnly = ports.machine() == null || ports.machine().bindsReadOnlyRecursively();
        this.preparation =
                new Preparation(desired, layout, ports.machine() != null, recursiveReadOnly, ports.runtime());
        this.remounts = new RemountScheduler(loop, desired, actual, preparation, this::dirty);
        PodMounts podMounts = new PodMounts(layout, recursiveReadOnly);
        this.queries = new NodeQueries(ports.nodeName(), desired, actual, layout, podMounts);
        this.waiters = new Waiters(desired, actual, queries, podMounts);
        this.claims = new ClaimReads(
                loop, ports.cluster(), objects, options.backoff(), ports.random(), claimReads, this::hasOrWasGiven);
        this.changes = new NodeChanges(this, ports.nodeName());
        this.pods = new DesiredStateOfWorldPopulator(
                ports.nodeName(),
                objects,
                new PodResolver(ports.nodeName(), objects, ports.plugins(), recursiveReadOnly, seLinux, claims),
                claims,
                desired,
                changes,
                options.keepTerminatedPodVolumes(),
                sources,
                new HeapAdvice(Runtime.getRuntime().maxMemory()));

        this.journal = new NodeJournal(loop, this::snapshot);
        this.reports = new NodeReports(
                loop, metrics, new NodeEvents(ports.events(), desired, queries, this::explain), queries, listeners);
        this.formats = new NodeFormats(loop, ports.blocking(), journal, reports::tell);
        GrantCheck grantCheck = new GrantCheck(
                ports.cluster(),
                ports.nodeName(),
                ports.writer() != null,
                (id, uid) -> loop.execute(() -> attachments.grantEnded(id, uid)));
        this.attachErrors = new AttachErrors(
                loop,
                new Questions<>(loop, executor, questionIds("attachments")),
                grantCheck,
                this::awaitsController,
                this::refusedForRoom,
                ports.plugins()::withoutSecrets);
        this.world = world(grantCheck);
        this.idleness = new Idleness(loop, this::engines);
        this.engine = new Engine<>(
                loop,
                seams.world().apply(world),
                seams.planner().apply(new NodePlanner()),
                seams.intents().apply(world),
                executor,
                ports.random(),
                new Engine.Options(
                        ports.operationPrefix(), ports.incarnation(), options.backoff(), options.resyncPerSecond()),
                new StepObserver(reports, queries, desired, waiters, questions, idleness, this::refusedForRoom));
        this.usage =
                new UsageCalls(desired, actual, queries, layout, ports.machine(), questions, options.statsDeadline());
        this.watch = new VolumeWatch(
                loop,
                options.watchInterval(),
                options.statsDeadline(),
                desired,
                actual,
                usage,
                healthQuestions,
                reports,
                ports.plugins()::withoutSecrets);
        this.reasons = new PodReasons(
                desired, actual, pods, queries, requests, engine, new DriverObjects(objects), watch, attachErrors);
        this.waitingPods = new WaitingPods(loop, options.watchInterval(), desired, queries, reasons, reports.events());
        ClusterWriter writer = ports.writer();
        this.limits = writer == null || options.dryRun()
                ? null
                : new AttachLimits(
                        ports,
                        writer,
                        options.backoff(),
                        objects,
                        new Questions<>(loop, executor, questionIds("limits")));
    }

    private String questionIds(String about) {
        return ports.operationPrefix() + "-" + about + "-" + ports.incarnation() + "-";
    }

    private static ObjectCache objects(NodePorts ports, NodeOptions options) {
        Map<Kind, Selection> kinds = new LinkedHashMap<>();
        kinds.put(Kind.NODE, Selection.ofNode(ports.nodeName()));
        kinds.put(Kind.PERSISTENT_VOLUME, Selection.all());
        kinds.put(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        kinds.put(Kind.POD, Selection.ofNode(ports.nodeName()));
        kinds.put(Kind.CSI_DRIVER, Selection.all());
        return new ObjectCache(
                ports.cluster(),
                kinds,
                new CachePorts(
                        ports.loop(),
                        ports.workers(),
                        (delay, task) -> ports.loop().schedule(delay, task),
                        failures ->
                                options.backoff().forLists().delay(failures, FailureKind.TRANSIENT, ports.random())));
    }

    private NodeWorld world(GrantCheck grantCheck) {
        Expansions expansions = new Expansions(objects, ports.writer());
        StepSubjects subjects = new StepSubjects(desired, actual);
        return new NodeWorld(
                subjects,
                new StepOutcomes(
                        subjects,
                        formats,
                        journal,
                        expansions,
                        preparation,
                        objects,
                        remounts,
                        attachments,
                        waiters,
                        this::dirty),
                new NodeViews(desired, actual, pods, attachments.grants(), expansions, ports.runtime()),
                new NodeCalls(
                        ports.nodeName(), layout, ports.plugins(), ports.machine(), metadataFiles, options, tools),
                formats,
                journal,
                attachments.grants(),
                grantCheck,
                attachErrors,
                expansions,
                preparation);
    }

    /** Has the engine visit the volume. Does nothing on a node that has not started or that only plans. */
    void dirty(VolumeId id) {
        if (requests.started() && !options.dryRun()) {
            engine.dirty(id);
        }
    }

    private boolean awaitsController(VolumeId id) {
        VolumeView view = requests.started() && !options.dryRun() ? world.view(id) : null;
        return view != null && view.awaitsController();
    }

    /** The plugin refused to attach: the node can have fewer volumes than the plugin reported. */
    private void refusedForRoom(String plugin) {
        if (limits != null) {
            limits.askAgain(plugin);
        }
    }

    private boolean differs(VolumeId id, String podUid) {
        return queries.differs(id, podUid);
    }

    /** Whether the pod has the volume here, or the desired state has it for the pod. */
    private boolean hasOrWasGiven(String podUid, VolumeId volume) {
        ActualVolume present = actual.volume(volume);
        DesiredVolume wanted = desired.volume(volume);
        return (present != null && present.mount(podUid) != null) || (wanted != null && wanted.use(podUid) != null);
    }

    private String explain(Pod pod) {
        return reasons.of(pod.metadata().uid(), pod.key().toString()).text();
    }

    private List<JournalEntry> snapshot() {
        return world.snapshot();
    }

    /** Empty before the start. */
    private List<Engine<?, ?, ?>> engines() {
        return requests.started() ? List.of(engine) : List.of();
    }
}
