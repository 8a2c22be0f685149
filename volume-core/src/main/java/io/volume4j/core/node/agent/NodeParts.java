package io.volume4j.core.node.agent;

import io.volume4j.core.driver.DriverObjects;
import io.volume4j.core.engine.Discretion;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.journal.OpenedJournal;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePlanner;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.attach.AttachLimits;
import io.volume4j.core.node.attach.AttachmentExchange;
import io.volume4j.core.node.attach.GrantCheck;
import io.volume4j.core.node.call.NodeCalls;
import io.volume4j.core.node.desired.ClaimReads;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorldPopulator;
import io.volume4j.core.node.desired.HeapAdvice;
import io.volume4j.core.node.desired.PodMounts;
import io.volume4j.core.node.desired.PodResolver;
import io.volume4j.core.node.desired.PodSources;
import io.volume4j.core.node.report.NodeEvents;
import io.volume4j.core.node.report.NodeFacts;
import io.volume4j.core.node.report.NodeMetrics;
import io.volume4j.core.node.report.NodeQueries;
import io.volume4j.core.node.report.NodeReports;
import io.volume4j.core.node.report.UsageCalls;
import io.volume4j.core.node.state.MountMetadataFiles;
import io.volume4j.core.node.state.NodeFormats;
import io.volume4j.core.node.state.NodeJournal;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.view.Expansions;
import io.volume4j.core.node.view.MeantClaims;
import io.volume4j.core.node.view.NodeViews;
import io.volume4j.core.node.view.Preparation;
import io.volume4j.core.node.view.StepSubjects;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.operations.Idleness;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an agent, put together: who knows whom is read here and nowhere else. Those that need the journal are made by
 * {@link #run} when it is open. Does nothing by itself.
 */
final class NodeParts {
    final NodePorts ports;
    final NodeOptions options;
    final EventLoop loop;
    final NodeLayout layout;
    final MountMetadataFiles cards;
    final LoopRequests inbox;
    final CurrentRun current;
    final ActualStateOfWorld actual;
    final DesiredStateOfWorld desired;
    final DirtyVolumes dirty;
    final ObjectCache objects;
    final PodSources sources;
    final WorldReadings readings = new WorldReadings();
    final Idleness idleness;
    final RemountScheduler contents;
    final AttachmentExchange handshake;
    final NodeQueries queries;
    final Waiters waiters;
    final ClaimReads claims;
    final DesiredStateOfWorldPopulator pods;
    final PodReasons reasons;
    final NodeReports reports;
    final NodeFormats formats;
    final Preparation preparation;
    final UsageCalls usage;
    final PluginChanges pluginChanges;
    /** Told by the host of pods whose containers may have stopped. */
    final Consumer<String> runtimeChanges;

    private final NodeFacts facts;
    private final Seams<VolumeId, VolumeView, NodeStep> seams;

    NodeParts(
            NodePorts ports,
            NodeOptions options,
            List<Consumer<VolumeTransition>> listeners,
            Seams<VolumeId, VolumeView, NodeStep> seams) {
        this.ports = ports;
        this.options = options;
        this.seams = seams;
        this.loop = ports.loop();
        this.layout = new NodeLayout(ports.root());
        this.cards = new MountMetadataFiles(layout, ports.machine(), ports.bootId());
        this.inbox = new LoopRequests(loop, ports.nodeName());
        this.current = new CurrentRun(ports.nodeName());
        NodeMetrics metrics = new NodeMetrics(loop, ports.metrics());
        this.actual = new ActualStateOfWorld(metrics.actual());
        this.desired = new DesiredStateOfWorld(metrics.desired(actual, this::differs));
        this.dirty = new DirtyVolumes(current, actual, options.dryRun());
        this.objects = objects(ports, options);
        this.idleness = new Idleness(loop, this::engines);
        this.sources = new PodSources(objects);
        this.contents = new RemountScheduler(loop, desired, actual, dirty::add);
        this.handshake = new AttachmentExchange(ports, options, objects, desired, actual, dirty, sources);
        boolean recursiveReadOnly = ports.machine() == null || ports.machine().bindsReadOnlyRecursively();
        PodMounts podMounts = new PodMounts(layout, recursiveReadOnly);
        this.queries = new NodeQueries(ports.nodeName(), desired, actual, layout, podMounts);
        this.waiters = new Waiters(desired, actual, queries, podMounts);
        this.claims = new ClaimReads(
                loop,
                ports.cluster(),
                objects,
                options.backoff(),
                ports.random(),
                () -> current.require().claimReads());
        this.pods = new DesiredStateOfWorldPopulator(
                ports.nodeName(),
                objects,
                new PodResolver(
                        ports.nodeName(),
                        objects,
                        ports.plugins(),
                        recursiveReadOnly,
                        new MeantClaims(desired, actual, claims)),
                claims,
                desired,
                new PodChanges(ports.nodeName(), desired, actual, dirty, contents, handshake, waiters),
                options.keepTerminatedPodVolumes(),
                sources,
                new HeapAdvice(Runtime.getRuntime().maxMemory()));
        this.reasons = new PodReasons(desired, actual, pods, queries, current, new DriverObjects(objects));
        this.facts = new NodeFacts(
                desired,
                actual,
                pod -> reasons.of(pod.metadata().uid(), pod.key().toString()).text());
        this.reports = new NodeReports(loop, metrics, new NodeEvents(ports.events(), desired, facts), facts, listeners);
        this.formats = new NodeFormats(loop, ports.blocking(), reports::tell);
        this.preparation = new Preparation(desired, layout, ports.machine() != null, recursiveReadOnly);
        this.usage = new UsageCalls(desired, actual, queries, layout, ports.machine(), options.statsDeadline());
        this.runtimeChanges = podUid -> loop.execute(() -> dirty.addOfPod(podUid));
        this.pluginChanges = new PluginChanges(loop, inbox, current, ports.plugins(), contents, pods);
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
                        failures -> options.backoff().delay(failures, FailureKind.TRANSIENT, ports.random())));
    }

    private boolean differs(VolumeId id, String podUid) {
        return facts.differs(id, podUid);
    }

    /** The parts that work with the journal. */
    NodeRun run(OpenedJournal opened) {
        NodeJournal journal = new NodeJournal(
                loop, opened.journal(), () -> current.require().world().snapshot());
        formats.journal(journal);
        NodeWorld world = world(journal);
        OperationExecutor executor = new OperationExecutor(
                loop,
                ports.workers(),
                options.limits(),
                new Discretion(ports.plugins()::confidentially, ports.plugins()::withoutSecrets));
        String prefix = ports.operationPrefix();
        Questions<VolumeId> questions = new Questions<>(loop, executor, prefix + "-stats-" + ports.incarnation() + "-");
        Questions<ClaimReads.Use> claimReads =
                new Questions<>(loop, executor, prefix + "-claims-" + ports.incarnation() + "-");
        Engine<VolumeId, VolumeView, NodeStep> engine = new Engine<>(
                loop,
                seams.world().apply(world),
                seams.planner().apply(new NodePlanner()),
                seams.intents().apply(world),
                executor,
                ports.random(),
                new Engine.Options(prefix, ports.incarnation(), options.backoff(), options.resyncPerSecond()),
                new StepObserver(reports, facts, desired, waiters, questions, idleness));
        ClusterWriter writer = ports.writer();
        @Nullable
        AttachLimits limits = writer == null || options.dryRun()
                ? null
                : new AttachLimits(ports, writer, options.backoff(), objects, executor);
        return new NodeRun(opened, world, journal, engine, questions, claimReads, limits);
    }

    private NodeWorld world(NodeJournal journal) {
        Expansions expansions = new Expansions(objects, ports.writer());
        StepSubjects subjects = new StepSubjects(desired, actual);
        StepChanges changes = new StepChanges(objects, desired, dirty, contents, handshake, waiters);
        return new NodeWorld(
                subjects,
                new StepOutcomes(subjects, formats, journal, expansions, preparation, changes),
                new NodeViews(desired, actual, pods, handshake.grants(), expansions, ports.runtime()),
                new NodeCalls(ports.nodeName(), layout, ports.plugins(), ports.machine(), cards, options),
                formats,
                journal,
                handshake.grants(),
                new GrantCheck(
                        ports.cluster(),
                        ports.nodeName(),
                        ports.writer() != null,
                        (id, uid) -> loop.execute(() -> handshake.grantEnded(id, uid))),
                expansions,
                preparation);
    }

    /** None before the start. */
    private List<Engine<?, ?, ?>> engines() {
        @Nullable NodeRun run = current.now();
        return run == null ? List.of() : List.of(run.engine());
    }
}
