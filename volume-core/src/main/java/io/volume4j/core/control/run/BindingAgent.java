package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.control.capacity.CapacityBook;
import io.volume4j.core.engine.Discretion;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.NoThread;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.report.HostEars;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler of claims and volumes, put together. It owns the state of one loop and answers with futures; its methods
 * may be called from anywhere and return at once.
 */
public final class BindingAgent {
    /** How often it is looked for what was made for a claim that was removed by force. */
    private static final int SWEEPS = 10;

    private static final Duration SWEEP_PAUSE = Duration.ofSeconds(30);

    /** Where capacities are published; they are of the whole cluster, so any namespace does. */
    private static final String CAPACITY_NAMESPACE = "default";

    private final ControlPorts ports;
    private final EventLoop loop;
    private final ObjectCache cache;
    private final BindingState state;
    private final BoundWaiters waiters;
    private final Leadership leadership;
    private final BindingEvents changes;
    private final VolumeCare care;
    private final Orphans orphans;
    private final EarlierTools tools;
    private final Duration careDeadline;
    private final List<Kind> visited;
    private final String finalizer;
    private int sweeps;
    private boolean sweeping;
    private boolean sweepAgain;
    private EventLoop.Timer nextSweep = () -> {};
    private final Engine<ObjectKey, BindingView, BindingStep> engine;
    private final PluginListener pluginsChanged = plugin -> loopTask(this::tryEverythingAgain);

    /** An agent that does nothing before {@link #start}. */
    public BindingAgent(ControlPorts ports, ControlOptions options) {
        this(ports, options, transition -> {});
    }

    /**
     * The same with somebody who hears of every step.
     *
     * @param listener called on the loop; must not block
     */
    public BindingAgent(ControlPorts ports, ControlOptions options, Consumer<ObjectTransition> listener) {
        this(ports, options, Duty.binding(), listener);
    }

    /** The same for another duty. */
    public BindingAgent(ControlPorts ports, ControlOptions options, Duty duty, Consumer<ObjectTransition> listener) {
        this(ports, options, duty, listener, Seams.none());
    }

    /** Of a binding controller, with something between the engine and its parts. */
    public BindingAgent(
            ControlPorts ports,
            ControlOptions options,
            Consumer<ObjectTransition> listener,
            Seams<ObjectKey, BindingView, BindingStep> seams) {
        this(ports, options, Duty.binding(), listener, seams);
    }

    /** The same for any duty. */
    public BindingAgent(
            ControlPorts ports,
            ControlOptions options,
            Duty duty,
            Consumer<ObjectTransition> listener,
            Seams<ObjectKey, BindingView, BindingStep> seams) {
        this.ports = ports;
        this.loop = ports.loop();
        Map<Kind, Selection> kinds = DutyKinds.watched(duty);
        this.cache = new ObjectCache(
                ports.source(),
                kinds,
                new CachePorts(
                        loop,
                        ports.workers(),
                        loop::schedule,
                        failures -> options.backoff().delay(failures, FailureKind.TRANSIENT, ports.random())));
        this.state = new BindingState(cache, duty.tasks(), this::dirty, loop::nanoTime);
        this.waiters = new BoundWaiters(cache, ports.workers());
        this.leadership =
                new Leadership(ports.leader(), loop, ports.process(), duty.finalizer(), this::tryEverythingAgain);
        EndToEnd endToEnd = new EndToEnd(ports.metrics(), loop);
        ControlObservers observers = new ControlObservers(
                new ControlMetrics(ports.metrics(), this::inTree), endToEnd, HostEars.listener(listener));
        PluginDirectory directory = new PluginDirectory(ports.plugins());
        this.tools = EarlierTools.of(ports.plugins().host(), duty.name() + " " + duty.only());
        LiveCheck live =
                new LiveCheck(ports.source(), loop::nanoTime, found -> loopTask(() -> cache.applyOwnWrite(found)));
        this.care = new VolumeCare(
                ports.source(), ports.writer(), live, directory, stored -> loopTask(() -> cache.applyOwnWrite(stored)));
        this.orphans = new Orphans(
                ports.source(), ports.writer(), directory, stored -> loopTask(() -> cache.applyOwnWrite(stored)));
        this.finalizer = duty.finalizer();
        this.careDeadline = options.clusterDeadline();
        HealthBook health = new HealthBook();
        SourceRules sources = new SourceRules(
                cache,
                duty.has(Task.DATA_SOURCES),
                duty.has(Task.RESTORES),
                duty.populators(),
                state::blockedByIgnorance);
        SnapshotDesk snapshots = new SnapshotDesk(
                cache,
                state.indexes,
                Collections.unmodifiableSet(EnumSet.copyOf(kinds.keySet())),
                this::dirty,
                loop::nanoTime);
        LaterLeaders later = new LaterLeaders(ports.leader(), loop::nanoTime);
        SnapshotViews snapshotViews = new SnapshotViews(
                cache,
                state,
                snapshots,
                new SourceViews(cache, state, snapshots, duty),
                directory,
                duty,
                leadership::self,
                later,
                loop);
        CapacityBook capacities = new CapacityBook(
                new CapacityBook.Objects() {
                    @Override
                    public Collection<ApiObject> all(Kind kind) {
                        return cache.all(kind);
                    }

                    @Override
                    public boolean complete(Kind kind) {
                        return cache.complete(kind);
                    }

                    @Override
                    public Optional<Node> node(String name) {
                        return cache.get(ObjectKey.node(name), Node.class);
                    }
                },
                CAPACITY_NAMESPACE,
                directory::byName,
                this::dirty,
                task -> loop.schedule(Duration.ofSeconds(1), task));
        BindingOutcomes outcomes = new BindingOutcomes(
                cache, state, ports.events(), this::abandoned, capacities, health, snapshots, loop::nanoTime);
        this.visited = DutyKinds.visited(duty);
        BindingWorld world = new BindingWorld(
                cache,
                state,
                new BindingViews(
                        cache,
                        state,
                        directory,
                        duty.matches(),
                        DutyKinds.attributes(duty),
                        sources::of,
                        leadership::self,
                        later),
                new TaskViews(
                        cache,
                        state,
                        directory,
                        duty,
                        capacities,
                        health,
                        snapshotViews,
                        sources::of,
                        leadership::self,
                        later,
                        loop::nanoTime),
                new BindingCalls(
                        cache,
                        state,
                        new ClusterCalls(ports.source(), ports.writer(), seen -> loopTask(() -> take(seen))),
                        new PluginCalls(directory, ports.leader(), live, duty.populators(), tools),
                        new SnapshotCalls(directory, ports.leader(), live, tools),
                        directory,
                        ports.leader(),
                        options,
                        loop::nanoTime),
                outcomes,
                visited);
        this.engine = new Engine<>(
                loop,
                seams.world().apply(world),
                seams.planner().apply(duty.tasks().isEmpty() ? duty.planner() : new ObjectPlanner(duty.planner())),
                seams.intents().apply(IntentLog.inCluster()),
                new OperationExecutor(
                        loop,
                        ports.workers(),
                        options.limits(),
                        new Discretion(ports.plugins()::confidentially, ports.plugins()::withoutSecrets)),
                ports.random(),
                new Engine.Options(
                        tools.prefix() + duty.name(), ports.process(), options.backoff(), options.resyncPerSecond()),
                observers);
        this.changes = new BindingEvents(
                cache,
                state,
                duty,
                visited,
                capacities,
                health,
                sources,
                snapshots,
                this::dirty,
                outcomes::stored,
                this::abandoned);
        cache.listener(changes);
        cache.listener(waiters);
        cache.listener(endToEnd);
        cache.listener(new ClusterCounts(ports.metrics(), loop));
    }

    /** Has somebody else told of the same objects, and of those of more kinds. Before {@link #start} only. */
    public void share(Set<Kind> more, ObjectListener listener) {
        more.forEach(kind -> cache.also(kind, Selection.all()));
        cache.listener(listener);
    }

    /** Begins to list, watch and reconcile. */
    public void start() {
        ports.plugins().addListener(pluginsChanged);
        loop.execute(() -> {
            leadership.watch();
            cache.start();
            engine.start();
        });
    }

    /** Completes with the volume when the claim is bound; the claim need not be known yet. */
    public CompletableFuture<PersistentVolume> whenBound(ObjectKey claim) {
        CompletableFuture<PersistentVolume> future = new CompletableFuture<>();
        loop.execute(() -> waiters.await(claim, future));
        var unused = future.whenComplete((volume, failure) -> {
            if (failure != null) {
                loopTask(() -> waiters.forget(claim, future));
            }
        });
        return future;
    }

    /** Why the claim or volume is as it is. */
    public CompletableFuture<Explanation> explain(ObjectKey key) {
        return CompletableFuture.supplyAsync(() -> explanation(key), loop);
    }

    private Explanation explanation(ObjectKey key) {
        if (leadership.self().isEmpty() || !state.started()) {
            String why = state.started() ? "another process leads" : cache.whyIncomplete();
            return new Explanation(key.toString(), cache.get(key).isPresent(), List.of(), List.of(why));
        }
        return engine.explain(key, key.toString());
    }

    /** What would be done now about every claim and volume that is not as it should be. */
    public CompletableFuture<Map<ObjectKey, Plan<BindingStep>>> plan() {
        return CompletableFuture.supplyAsync(this::plans, loop);
    }

    private Map<ObjectKey, Plan<BindingStep>> plans() {
        Map<ObjectKey, Plan<BindingStep>> plans = new LinkedHashMap<>();
        for (Kind kind : visited) {
            for (var object : cache.all(kind)) {
                Plan<BindingStep> plan = engine.plan(object.key());
                if (!plan.steps().isEmpty()) {
                    plans.put(object.key(), plan);
                }
            }
        }
        return plans;
    }

    /** Ends reconciling and cancels what is under way; completes with the calls whose threads have not come back. */
    public CompletableFuture<List<String>> close() {
        return CompletableFuture.supplyAsync(this::end, loop);
    }

    /** The same at once; on the loop. */
    public List<String> end() {
        ports.plugins().removeListener(pluginsChanged);
        leadership.close();
        cache.close();
        waiters.close();
        return engine.close();
    }

    /** Looks at the object now, whether anything happened to it or not; for simulators. */
    public void visit(ObjectKey key) {
        loopTask(() -> engine.dirty(key));
    }

    /** Whether nothing is dirty, under way or put off; for tests and simulators, on the loop. */
    public boolean quiet() {
        return engine.quiet();
    }

    /**
     * Gives a retained volume to whoever fits.
     *
     * @param claim reserves it for the claim of that name instead; null for anybody
     */
    public CompletableFuture<PersistentVolume> release(String volume, @Nullable ObjectKey claim) {
        return onWorker("release", context -> care.release(volume, claim, context));
    }

    /** Lets a lost claim begin anew. */
    public CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim) {
        return onWorker("repair", context -> care.repairLost(claim, context));
    }

    /** What the backends hold that no object of the cluster tells of. */
    public CompletableFuture<List<OrphanedStorage>> orphans() {
        return onWorker("orphans", orphans::find);
    }

    /**
     * Gives an orphan an object: kept for whoever is given it, or released, to be deleted like every other volume.
     *
     * @param policy Retain or Delete
     */
    public CompletableFuture<PersistentVolume> adopt(String plugin, String handle, ReclaimPolicy policy) {
        return onWorker("adopt", context -> orphans.adopt(plugin, handle, policy, finalizer, context));
    }

    /**
     * What is only remembered is lost with the process, so it is looked for at once. A call for the claim that is still under
     * way does no harm: it keeps the volume from being deleted until it has returned, and what it says then is news.
     */
    private void abandoned(Abandoned lost) {
        if (!state.abandon(lost)) {
            return;
        }
        sweeps = SWEEPS;
        if (sweeping) {
            sweepAgain = true;
        } else {
            sweepAfter(Duration.ZERO);
        }
    }

    private void sweepAfter(Duration pause) {
        nextSweep.cancel();
        nextSweep = loop.schedule(pause, this::sweep);
    }

    /** A backend's list may be behind what was made, so it is asked some times before the rest is left to people. */
    private void sweep() {
        List<Abandoned> lost = state.abandoned();
        if (lost.isEmpty() || sweeps == 0) {
            state.settled(lost);
            sweeps = 0;
            return;
        }
        sweeps--;
        sweeping = true;
        var unused = onWorker("sweep", context -> orphans.sweep(lost, finalizer, context))
                .whenComplete((settled, failure) -> loopTask(() -> {
                    if (settled != null) {
                        state.settled(settled);
                    } else {
                        sweeps++; // it failed as a whole and found out nothing
                    }
                    sweeping = false;
                    sweepAfter(sweepAgain ? Duration.ZERO : SWEEP_PAUSE);
                    sweepAgain = false;
                }));
    }

    private boolean inTree(String className) {
        return cache.get(ObjectKey.storageClass(className), StorageClass.class)
                .filter(found -> CsiMigration.driverFor(found.provisioner()).isPresent())
                .isPresent();
    }

    private <T> CompletableFuture<T> onWorker(String what, Function<CallContext, T> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            ports.workers().execute(() -> {
                try {
                    // What plugins are asked here is as confidential as what the engine asks them.
                    CareCall context = new CareCall(loop, tools.prefix() + what + "-" + ports.process(), careDeadline);
                    future.complete(ports.plugins().confidentially(() -> call.apply(context)));
                } catch (RuntimeException | Error failure) {
                    future.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error noThread) {
            future.completeExceptionally(NoThread.because("cannot begin: " + what, noThread));
        }
        return future;
    }

    private void take(List<ClusterCalls.Seen> seen) {
        for (ClusterCalls.Seen answer : seen) {
            if (answer.object() != null) {
                cache.applyOwnWrite(answer.object());
            } else {
                cache.seenAbsent(answer.key(), answer.uid());
            }
        }
    }

    private void tryEverythingAgain() {
        engine.forgetAllFailures();
        changes.visitAll();
    }

    private void dirty(ObjectKey key) {
        engine.dirty(key);
    }

    private void loopTask(Runnable task) {
        loop.execute(task);
    }
}
