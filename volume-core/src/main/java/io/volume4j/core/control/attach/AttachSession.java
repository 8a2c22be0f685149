package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.control.attach.call.CallLanes;
import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.call.RecordCalls;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachPlanner;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.RecordPlanner;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ClusterCalls;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.operations.Idleness;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.operations.PendingOperations;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachActualStateOfWorld.State;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.Reconciler.Quiescence;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.EffectModel;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The attach/detach reconciler for one term of leadership. It lists its cache after the term began, so that it knows all writes of
 * the previous leader. Loop thread only.
 */
final class AttachSession {
    private static final int SLICE = 512;

    private final ControlPorts ports;
    private final AttachOptions options;
    private final EventLoop loop;
    private final LeaderTerm term;
    private final ObjectCache cache;
    private final AttachIndex state;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final AttachCounts counts;
    private final AttachViews views;
    private final AttachWorld world;
    private final AttachEvents changes;
    private final Engine<AttachKey, AttachView, AttachStep> engine;
    private final Engine<ObjectKey, RecordView, RecordStep> records;
    private boolean visitingAll;
    private boolean closed;

    AttachSession(
            ControlPorts ports,
            FencingAuthority fencing,
            AttachOptions options,
            LeaderTerm term,
            LeftoverProcesses tools,
            Consumer<ObjectTransition> listener,
            OperationMetrics operations,
            Idleness idleness,
            Seams<AttachKey, AttachView, AttachStep> seams,
            Seams<ObjectKey, RecordView, RecordStep> recordSeams) {
        this.ports = ports;
        this.options = options;
        this.loop = ports.loop();
        this.term = term;
        Map<Kind, Selection> kinds = new EnumMap<>(Kind.class);
        AttachEvents.KINDS.forEach(kind -> kinds.put(kind, Selection.all()));
        kinds.put(Kind.CSI_DRIVER, Selection.all());
        this.cache = ports.cache(kinds, options.backoff());
        PodVolumes resolver = new PodVolumes(cache, ports.plugins(), options.externalAttachers());
        this.counts = new AttachCounts(ports.metrics(), loop);
        this.state = new AttachIndex(loop::nanoTime, new Marks(), counts);
        this.desired = new DesiredStateOfWorld(cache, resolver, state);
        this.actual = new ActualStateOfWorld(cache, resolver, state);
        this.views = new AttachViews(cache, state, actual, ports.plugins(), loop, term, options);
        AttachReports reports = new AttachReports(ports.events(), ports.metrics(), state);
        CallResults work = new CallResults();
        AttachCalls calls = new AttachCalls(ports.source(), ports.writer(), seen -> loop.execute(() -> take(seen)));
        CallLanes lanes = new CallLanes(
                term, ports.plugins(), options.clusterCalls(), options.clusterDeadline(), options.driverDeadline());
        this.world = new AttachWorld(
                state,
                actual,
                views,
                calls,
                lanes,
                new RecordMaker(term, options),
                work,
                ports.plugins(),
                fencing,
                reports,
                loop,
                term,
                tools,
                options);
        RecordCalls.Stamp stamp = RecordCalls.Stamp.direct(options.kubernetesNames());
        DirectRecords direct = new DirectRecords(
                cache,
                state,
                actual,
                views,
                new RecordCalls(calls, ports.plugins(), term, stamp, tools),
                lanes,
                stamp,
                work,
                ports.plugins(),
                reports,
                loop,
                term,
                options);
        OperationExecutor executor = ports.executor(options.limits());
        this.engine = new Engine<>(
                loop,
                seams.world().apply(world),
                seams.planner().apply(new AttachPlanner()),
                seams.intents().apply(IntentLog.inCluster()),
                executor,
                ports.random(),
                new Engine.Options(
                        tools.prefix() + "attach-" + term.generation(),
                        ports.process(),
                        options.backoff(),
                        options.resyncPerSecond()),
                idleness.beside(AttachObservers.ofSteps("attach", loop, listener)));
        this.records = new Engine<>(
                loop,
                recordSeams.world().apply(direct),
                recordSeams.planner().apply(new RecordPlanner()),
                recordSeams.intents().apply(IntentLog.inCluster()),
                executor,
                ports.random(),
                new Engine.Options(
                        tools.prefix() + "attachment-" + term.generation(),
                        ports.process(),
                        options.backoff(),
                        options.resyncPerSecond()),
                idleness.beside(AttachObservers.ofRecords("attach", loop, listener, operations)));
        this.changes = new AttachEvents(
                cache, new NodeObjects(state, desired), desired, actual, work, this::listed, this::completeAgain);
        cache.listener(changes);
    }

    void start() {
        // Lists drivers first: there are few, and without them the session would resolve all pods twice.
        cache.startWith(Kind.CSI_DRIVER);
        engine.start();
        records.start();
    }

    /** Ends the session while its agent goes on. */
    void close() {
        cache.close();
        endWork();
    }

    /** Ends the session together with its agent. Returns the calls that have not returned yet. */
    List<String> end() {
        Runnable closesWatches = cache.end();
        List<String> left = endWork();
        closesWatches.run();
        return left;
    }

    private List<String> endWork() {
        closed = true;
        counts.close();
        List<String> left = new ArrayList<>(records.close());
        left.addAll(engine.close());
        return left;
    }

    LeaderTerm term() {
        return term;
    }

    /** Plugins were added or removed: retries failures for lack of a plugin, and resolves volumes again. */
    void pluginsChanged() {
        if (changes.started()) {
            desired.resolveAgain();
            actual.identifyAgain();
            state.nodes().forEach(node -> node.pairs.values().forEach(state::visit));
            actual.open().forEach(records::dirty);
            engine.forgetAllFailures();
            records.forgetAllFailures();
        }
    }

    /** False if the node is not known. */
    boolean fence(Fence fence) {
        NodeState node = state.node(fence.nodeName());
        if (node == null) {
            return false;
        }
        world.fenced(node, fence);
        return true;
    }

    boolean quiet() {
        return changes.started() && !visitingAll && engine.quiet() && records.quiet();
    }

    Health health() {
        return changes.started() && cache.complete()
                ? Health.working()
                : Health.notReady(true, List.of(cache.whyIncomplete()));
    }

    Explanation explainVolume(VolumeId id) {
        VolumeState volume = state.volume(id);
        List<AttachKey> keys = new ArrayList<>();
        if (volume != null) {
            volume.pairs().forEach(pair -> keys.add(pair.key));
        }
        return explain("volume " + id, volume != null, keys);
    }

    Explanation explainNode(String name) {
        NodeState node = state.node(name);
        List<AttachKey> keys = new ArrayList<>();
        if (node != null) {
            keys.add(new AttachKey.OfNode(name));
            node.pairs.values().forEach(pair -> keys.add(pair.key));
        }
        return explain("node " + name, node != null, keys);
    }

    /** The ID of the PersistentVolume's volume from its plugin; empty if it is not known. */
    Optional<VolumeId> idOf(String persistentVolume) {
        return actual.idOf(persistentVolume);
    }

    /** Retries every pair of the node, and their records, at once; false if the node is not known. */
    boolean retryNode(String name) {
        NodeState node = state.node(name);
        if (node != null) {
            state.marks().retry(new AttachKey.OfNode(name));
            node.pairs.values().forEach(state::retry);
        }
        return node != null;
    }

    /** The same for a volume on all nodes. */
    boolean retryVolume(VolumeId id) {
        VolumeState volume = state.volume(id);
        if (volume != null) {
            volume.pairs().forEach(state::retry);
        }
        return volume != null;
    }

    /** The same for one record and its pair. */
    boolean retryRecord(String name) {
        VolumeAttachment record =
                cache.get(ObjectKey.attachment(name), VolumeAttachment.class).orElse(null);
        if (record == null) {
            return false;
        }
        VolumeId id = actual.identify(record);
        PairState pair = id == null ? null : state.pair(id, record.spec().nodeName());
        if (pair == null) {
            state.marks().retryRecord(record.key());
        } else {
            state.retry(pair);
        }
        return true;
    }

    List<Engine<?, ?, ?>> engines() {
        return List.of(engine, records);
    }

    List<PendingOperation<ObjectKey>> pending() {
        PendingOperations shown = new PendingOperations(loop);
        List<PendingOperation<ObjectKey>> all =
                new ArrayList<>(shown.of(engine, AttachObservers.OfSteps::object, step -> ""));
        all.addAll(shown.of(records, (key, step) -> key, step -> ""));
        return all;
    }

    Quiescence quiescence() {
        if (!changes.started()) {
            return new Quiescence(false, List.of(cache.whyIncomplete()));
        }
        if (quiet()) {
            return new Quiescence(true, List.of());
        }
        List<String> reasons = new ArrayList<>();
        pending()
                .forEach(operation -> reasons.add(operation.step() + " of " + operation.key() + " is "
                        + operation.state() + ", attempt " + operation.attempt()));
        plan().forEach((key, plan) -> plan.steps().forEach(step -> reasons.add(key + ": " + step.describe())));
        return new Quiescence(
                false, reasons.isEmpty() ? List.of("a volume on a node is about to be looked at") : reasons);
    }

    AttachDesiredStateOfWorld.Reading desired(AttachReadings readings) {
        return readings.desired(state, complete());
    }

    AttachActualStateOfWorld.Reading actual(AttachReadings readings) {
        return readings.actual(state, views, complete());
    }

    boolean wants(VolumeId id, String node) {
        PairState pair = state.pair(id, node);
        return pair != null && pair.wanted() && pair.node.served();
    }

    State state(VolumeId id, String node) {
        if (!complete()) {
            return State.UNCERTAIN;
        }
        PairState pair = state.pair(id, node);
        return pair == null ? State.DETACHED : AttachReadings.state(pair, views);
    }

    private boolean complete() {
        return changes.started() && cache.complete();
    }

    private Explanation explain(String subject, boolean known, List<AttachKey> keys) {
        if (!changes.started()) {
            return new Explanation(subject, known, List.of(), List.of(cache.whyIncomplete()));
        }
        List<Explanation.StepState> steps = new ArrayList<>();
        Set<String> waits = new LinkedHashSet<>();
        for (AttachKey key : keys) {
            Explanation pair = engine.explain(key, key.toString());
            steps.addAll(pair.steps());
            waits.addAll(pair.waits());
            if (key instanceof AttachKey.Pair of) {
                PairState found = state.pair(of.volume(), of.node());
                if (found != null) {
                    found.records().forEach(record -> {
                        Explanation carrying = records.explain(record, record.name());
                        steps.addAll(carrying.steps());
                        waits.addAll(carrying.waits());
                    });
                }
            }
        }
        return new Explanation(subject, known, steps, new ArrayList<>(waits));
    }

    /** The steps that the controller would take now, for every pair and node that has some. */
    Map<AttachKey, Plan<AttachStep>> plan() {
        Map<AttachKey, Plan<AttachStep>> plans = new LinkedHashMap<>();
        world.keys().forEachRemaining(key -> {
            Plan<AttachStep> plan = engine.plan(key);
            if (!plan.steps().isEmpty()) {
                plans.put(key, plan);
            }
        });
        return plans;
    }

    /** All objects are listed. Calls of other processes may still take effect. Visits all keys. */
    private void listed() {
        views.filled();
        actual.open().forEach(key -> {
            records.dirty(key);
            cache.get(key, VolumeAttachment.class)
                    .filter(record -> !views.ours(record))
                    .ifPresent(this::leftOpen);
        });
        visitAll(world.keys());
        actual.drivers().forEach(driver -> engine.dirty(new AttachKey.OfDriver(driver)));
    }

    /** Visits a limited number at a time, so that the queue never grows to the size of the cluster. */
    private void visitAll(Iterator<AttachKey> keys) {
        for (int i = 0; i < SLICE && keys.hasNext(); i++) {
            engine.dirty(keys.next());
        }
        visitingAll = keys.hasNext() && !closed;
        if (visitingAll) {
            loop.execute(() -> visitAll(keys));
        }
    }

    private void leftOpen(VolumeAttachment record) {
        VolumeId id = actual.identify(record);
        PairState pair = id == null ? null : state.pair(id, record.spec().nodeName());
        if (pair != null) {
            ports.plugins()
                    .byName(AttacherName.plugin(record))
                    .map(VolumePlugin::effectModel)
                    .filter(model -> model.kind() == EffectModel.Kind.UNORDERED)
                    .ifPresent(model -> {
                        pair.attachSettledAt = loop.nanoTime()
                                + model.horizon().plus(options.driverDeadline()).toNanos();
                        pair.volume.unsettled(pair.node.name, pair.attachSettledAt);
                    });
        }
    }

    private void completeAgain() {
        views.takeBlocked().forEach(key -> {
            engine.dirty(key);
            if (key instanceof AttachKey.Pair of) {
                PairState pair = state.pair(of.volume(), of.node());
                if (pair != null) {
                    state.visit(pair);
                }
            }
        });
        state.nodes().forEach(node -> engine.dirty(new AttachKey.OfNode(node.name)));
        actual.open().forEach(records::dirty);
    }

    private void take(ClusterCalls.Seen seen) {
        if (!closed) {
            seen.into(cache);
        }
    }

    /** Marks keys dirty in the engines. */
    private final class Marks implements AttachIndex.Marks {
        @Override
        public void visit(AttachKey key) {
            if (changes.started()) {
                engine.dirty(key);
            }
        }

        @Override
        public void visitRecord(ObjectKey record) {
            if (changes.started()) {
                records.dirty(record);
            }
        }

        @Override
        public void retry(AttachKey key) {
            visit(key);
            engine.forgetFailures(key);
        }

        @Override
        public void retryRecord(ObjectKey record) {
            visitRecord(record);
            records.forgetFailures(record);
        }
    }
}
