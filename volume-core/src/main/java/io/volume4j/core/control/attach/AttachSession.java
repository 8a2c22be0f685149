package io.volume4j.core.control.attach;

import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.LeftoverProcesses;
import io.volume4j.core.engine.Discretion;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.FailureKind;
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
 * The attach/detach reconciler for one term of leadership: its cache is listed after the term began, so that it knows of
 * everything that the leader before had stored. Loop thread only.
 */
final class AttachSession {
    private static final int SLICE = 512;

    private final ControlPorts ports;
    private final AttachOptions options;
    private final EventLoop loop;
    private final Term term;
    private final ObjectCache cache;
    private final AttachWorlds state;
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
            Term term,
            LeftoverProcesses tools,
            Consumer<ObjectTransition> listener,
            Seams<AttachKey, AttachView, AttachStep> seams,
            Seams<ObjectKey, RecordView, RecordStep> recordSeams) {
        this.ports = ports;
        this.options = options;
        this.loop = ports.loop();
        this.term = term;
        Map<Kind, Selection> kinds = new EnumMap<>(Kind.class);
        AttachEvents.KINDS.forEach(kind -> kinds.put(kind, Selection.all()));
        this.cache = new ObjectCache(
                ports.source(),
                kinds,
                new CachePorts(
                        loop,
                        ports.workers(),
                        loop::schedule,
                        failures -> options.backoff().delay(failures, FailureKind.TRANSIENT, ports.random())));
        PodVolumes resolver = new PodVolumes(cache, ports.plugins(), options.externalAttachers());
        this.counts = new AttachCounts(ports.metrics(), loop);
        this.state = new AttachWorlds(loop::nanoTime, new Marks(), counts);
        this.desired = new DesiredStateOfWorld(cache, resolver, state);
        this.actual = new ActualStateOfWorld(cache, resolver, state);
        this.views = new AttachViews(cache, state, actual, ports.plugins(), loop, term, options);
        AttachReports reports = new AttachReports(ports.events(), ports.metrics(), state);
        RecordWork work = new RecordWork();
        AttachCalls calls = new AttachCalls(ports.source(), ports.writer(), seen -> loop.execute(() -> take(seen)));
        this.world = new AttachWorld(
                state,
                actual,
                views,
                calls,
                new RecordMaker(term, options),
                work,
                ports.plugins(),
                fencing,
                reports,
                loop,
                term,
                tools,
                options);
        RecordCalls.Stamp stamp = new RecordCalls.Stamp(GrantKeys.FINALIZER, GrantKeys.GENERATION, true);
        DirectRecords direct = new DirectRecords(
                cache,
                state,
                actual,
                views,
                new RecordCalls(calls, ports.plugins(), term, stamp, tools),
                stamp,
                work,
                ports.plugins(),
                reports,
                loop,
                term,
                options);
        OperationExecutor executor = new OperationExecutor(
                loop,
                ports.workers(),
                options.limits(),
                new Discretion(ports.plugins()::confidentially, ports.plugins()::withoutSecrets));
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
                new AttachObservers.OfSteps(listener));
        this.records = new Engine<>(
                loop,
                recordSeams.world().apply(direct),
                recordSeams.planner().apply(new RecordPlanner()),
                recordSeams.intents().apply(IntentLog.inCluster()),
                executor,
                ports.random(),
                new Engine.Options(
                        tools.prefix() + "attachment-" + term.generation(), ports.process(), options.backoff(), 0),
                new AttachObservers.OfRecords(listener, new OperationMetrics(ports.metrics())));
        this.changes = new AttachEvents(
                cache, new NodeObjects(state, desired), desired, actual, this::listed, this::completeAgain);
        cache.listener(changes);
    }

    void start() {
        cache.start();
        engine.start();
    }

    List<String> close() {
        closed = true;
        counts.close();
        cache.close();
        List<String> left = new ArrayList<>(records.close());
        left.addAll(engine.close());
        return left;
    }

    Term term() {
        return term;
    }

    /** Plugins came or went: what failed for want of one is tried again, and volumes may have another name now. */
    void pluginsChanged() {
        if (changes.started()) {
            desired.resolveAgain();
            actual.identifyAgain();
            state.nodes().forEach(node -> node.pairs.values().forEach(state::visit));
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

    /** A PersistentVolume's id, as its plugin calls it; empty where that cannot be said. */
    Optional<VolumeId> idOf(String persistentVolume) {
        return actual.idOf(persistentVolume);
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

    /** What would be done now about every pair and node that is not as it should be. */
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

    /** Everything was listed: what others left open may still take effect, and everything is looked at. */
    private void listed() {
        views.filled();
        for (var object : cache.all(Kind.VOLUME_ATTACHMENT)) {
            VolumeAttachment record = (VolumeAttachment) object;
            boolean open = !record.status().attached() || record.metadata().deleting();
            if (open) {
                records.dirty(record.key());
            }
            if (open && !views.ours(record)) {
                leftOpen(record);
            }
        }
        visitAll(world.keys());
        actual.drivers().forEach(driver -> engine.dirty(new AttachKey.OfDriver(driver)));
    }

    /** Some at a time, so that what is to be looked at never has the size of the cluster. */
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
        VolumeState volume = id == null ? null : state.volume(id);
        if (volume != null) {
            ports.plugins()
                    .byName(AttacherName.plugin(record))
                    .map(VolumePlugin::effectModel)
                    .filter(model -> model.kind() == EffectModel.Kind.UNORDERED)
                    .ifPresent(model -> volume.unsettled(
                            record.spec().nodeName(),
                            loop.nanoTime()
                                    + model.horizon()
                                            .plus(options.driverDeadline())
                                            .toNanos()));
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
    }

    private void take(AttachCalls.Seen seen) {
        if (closed) {
            return;
        }
        if (seen.object() != null) {
            cache.applyOwnWrite(seen.object());
        } else {
            cache.seenAbsent(seen.key(), seen.uid());
        }
    }

    /** Turns what changed into keys to visit. */
    private final class Marks implements AttachWorlds.Marks {
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
