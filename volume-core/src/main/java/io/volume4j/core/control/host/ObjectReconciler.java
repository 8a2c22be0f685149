package io.volume4j.core.control.host;

import io.volume4j.core.control.host.facts.CacheCompleteness;
import io.volume4j.core.control.host.facts.ExhaustedClasses;
import io.volume4j.core.control.host.facts.ObjectUses;
import io.volume4j.core.control.host.facts.StoreFacts;
import io.volume4j.core.control.host.lead.Lead;
import io.volume4j.core.control.host.lead.Leadership;
import io.volume4j.core.control.host.lead.NewerLeaderIntents;
import io.volume4j.core.control.host.source.DataSources;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.core.objects.ObjectWaiters;
import io.volume4j.core.operations.Idleness;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.operations.PendingOperations;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.report.GuardedListeners;
import io.volume4j.core.steplog.ControlLog;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.Reconciler.Quiescence;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.StorageClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The reconciler of the objects of a cluster: a host with its features. The reconciler owns the state of one loop.
 * Any thread may call its methods; they return at once, and results come as futures.
 */
public final class ObjectReconciler implements ControllerAgent {
    /** Kinds that the host reads for every feature. */
    private static final List<Kind> ALWAYS = List.of(
            Kind.STORAGE_CLASS,
            Kind.NODE,
            Kind.PERSISTENT_VOLUME,
            Kind.PERSISTENT_VOLUME_CLAIM,
            Kind.POD,
            Kind.VOLUME_ATTACHMENT);

    private final ControlPorts ports;
    private final ControlOptions options;
    private final EventLoop loop;
    private final ObjectCache cache;
    private final Leadership leadership;
    private final LeftoverProcesses tools;
    private final Host host;
    private final List<Feature<?, ?>> features = new ArrayList<>();
    private final FeatureEvents changes;
    private final List<Kind> decided;
    private final Engine<ObjectKey, ObjectView, ClusterStep> engine;
    private final Idleness idleness;
    private final ClusterCounts counts;
    private final ControlMetrics metrics;
    private final ObjectWaiters<ObjectKey> gone;
    private final PluginListener pluginsChanged = plugin -> onLoop(this::tryEverythingAgain);

    /**
     * A reconciler that does nothing before {@link #start}.
     *
     * @param listener called on the loop for each step that begins or ends; must not block
     * @param seams wrappers between the engine and its parts
     */
    public ObjectReconciler(
            ControlPorts ports,
            ControlOptions options,
            ControllerSpec spec,
            Consumer<ObjectTransition> listener,
            Seams<ObjectKey, ObjectView, ClusterStep> seams) {
        this.ports = ports;
        this.options = options;
        this.loop = ports.loop();
        this.cache = ports.cache(Map.of(), options.backoff());
        this.leadership =
                new Leadership(spec.name(), ports.leader(), loop, ports.process(), this::tryEverythingAgain, () -> {});
        this.tools = LeftoverProcesses.of(ports.plugins().host(), spec.name() + " " + spec.only());
        this.host = host();
        spec.features().forEach(factory -> features.add(factory.on(host)));
        this.decided = decided();
        ClusterSteps shared = new ClusterSteps(host);
        this.changes = new FeatureEvents(host, features, shared, decided);
        ALWAYS.forEach(kind -> cache.also(kind, Selection.all()));
        features.forEach(feature -> feature.watches().forEach(kind -> cache.also(kind, Selection.all())));
        this.idleness = new Idleness(loop, this::engines);
        this.counts = new ClusterCounts(ports.metrics(), loop);
        this.metrics = new ControlMetrics(ports.metrics(), ports.plugins().migration(), this::inTree);
        this.engine = new Engine<>(
                loop,
                seams.world().apply(new FeatureWorld(host, features, shared, changes, decided)),
                seams.planner().apply(new ObjectPlanner()),
                seams.intents().apply(IntentLog.inCluster()),
                ports.executor(options.limits()),
                ports.random(),
                new Engine.Options(
                        tools.prefix() + spec.name(), ports.process(), options.backoff(), options.resyncPerSecond()),
                idleness.beside(ControlLog.steps(
                        spec.name(),
                        loop,
                        (line, key, step) -> line.addKeyValue("object", key),
                        new ControlObservers(metrics, features, GuardedListeners.listener(listener)))));
        cache.listener(changes);
        this.gone = host.waiters(this::gone);
        cache.listener(new ObjectListener() {
            @Override
            public void changed(ObjectChange change) {
                if (change.after() == null) {
                    gone.check(change.key());
                }
            }

            @Override
            public void completeness(Kind kind, boolean complete) {
                if (complete) {
                    gone.check(kind);
                }
            }
        });
        cache.listener(counts);
    }

    private Host host() {
        PluginAccess plugins = new PluginAccess(ports.plugins());
        return new Host(
                cache,
                new CacheCompleteness(cache),
                new StoreFacts(cache),
                new ObjectUses(cache),
                new DataSources(cache),
                new LiveReads(),
                new EventMemory(ports.events(), loop::nanoTime),
                new Visits(cache, this::dirty, key -> features.stream().anyMatch(feature -> feature.visitsLater(key))),
                new Lead(
                        ports.leader(),
                        leadership::self,
                        new NewerLeaderIntents(ports.leader(), loop::nanoTime),
                        tools),
                plugins,
                new PluginCallFactory(plugins, ports.leader(), options),
                new ClusterCalls(ports.source(), ports.writer(), loop::now, seen -> onLoop(() -> take(seen))),
                new LiveReader(ports.source(), loop::nanoTime, found -> onLoop(() -> cache.applyOwnWrite(found))),
                new CareCalls(ports, tools, options, object -> onLoop(() -> cache.applyOwnWrite(object))),
                new ExhaustedClasses(),
                loop,
                ports.workers(),
                ports.events(),
                ports.metrics());
    }

    /** The kinds in the order of the features: volumes before claims, because claims look for available volumes. */
    private List<Kind> decided() {
        Set<Kind> kinds = new LinkedHashSet<>();
        features.forEach(feature -> kinds.addAll(feature.decides()));
        return List.copyOf(kinds);
    }

    /**
     * The feature of that type.
     *
     * @throws IllegalArgumentException if the controller has none
     */
    public <F extends Feature<?, ?>> F feature(Class<F> type) {
        return features.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("this controller has no " + type.getSimpleName()));
    }

    /** Adds a listener for the same objects, and for objects of more kinds. Call this only before {@link #start}. */
    public void share(Set<Kind> more, ObjectListener listener) {
        more.forEach(kind -> cache.also(kind, Selection.all()));
        cache.listener(listener);
    }

    @Override
    public void start() {
        ports.plugins().addListener(pluginsChanged);
        loop.execute(() -> {
            try {
                leadership.watch();
            } finally { // a controller that is not started would lead, and do nothing, for the life of its process
                cache.start();
                engine.start();
            }
        });
    }

    /** Explains the state of the object. */
    public CompletableFuture<Explanation> explain(ObjectKey key) {
        return CompletableFuture.supplyAsync(() -> explanation(key), loop);
    }

    private Explanation explanation(ObjectKey key) {
        if (leadership.self().isEmpty() || !changes.begun()) {
            String why = changes.begun() ? "another process leads" : cache.whyIncomplete();
            return new Explanation(key.toString(), cache.get(key).isPresent(), List.of(), List.of(why));
        }
        return engine.explain(key, key.toString());
    }

    @Override
    public Health health() {
        boolean leads = leadership.self().isPresent();
        if (!changes.begun() || !cache.complete()) {
            return Health.notReady(leads, List.of(cache.whyIncomplete()));
        }
        return leads ? Health.working() : Health.standingBy();
    }

    /** The plans that the controller would run now. Every object that is not in its desired state has one. */
    public CompletableFuture<Map<ObjectKey, Plan<ClusterStep>>> plan() {
        return CompletableFuture.supplyAsync(this::plans, loop);
    }

    private Map<ObjectKey, Plan<ClusterStep>> plans() {
        Map<ObjectKey, Plan<ClusterStep>> plans = new LinkedHashMap<>();
        for (Kind kind : decided) {
            for (ApiObject object : cache.all(kind)) {
                Plan<ClusterStep> plan = engine.plan(object.key());
                if (!plan.steps().isEmpty()) {
                    plans.put(object.key(), plan);
                }
            }
        }
        return plans;
    }

    @Override
    public CompletableFuture<Boolean> reconcile(ObjectKey key) {
        return CompletableFuture.supplyAsync(
                () -> {
                    boolean known = cache.get(key).isPresent();
                    if (known && changes.begun()) {
                        engine.forgetFailures(key);
                        engine.dirty(key);
                    }
                    return known;
                },
                loop);
    }

    /** Makes the controller check the object now, even if the object has not changed. For simulators. */
    public void visit(ObjectKey key) {
        loop.execute(() -> host.visits().now(key));
    }

    /** Completes when the cluster certainly has no such object. Any thread may call this. */
    public CompletableFuture<ObjectKey> whenGone(ObjectKey object) {
        return gone.await(object);
    }

    /**
     * While the cache does not have all objects of the kind, an object that the cache does not have is unknown. It
     * does not count as gone.
     */
    private Optional<ObjectKey> gone(ObjectKey key) {
        return cache.complete(key.kind()) && cache.get(key).isEmpty() ? Optional.of(key) : Optional.empty();
    }

    @Override
    public CompletableFuture<List<PendingOperation<ObjectKey>>> pending() {
        return CompletableFuture.supplyAsync(this::operations, loop);
    }

    private List<PendingOperation<ObjectKey>> operations() {
        return new PendingOperations(loop).of(engine, (key, step) -> key, step -> "");
    }

    @Override
    public CompletableFuture<Boolean> whenIdle() {
        CompletableFuture<Boolean> idle = new CompletableFuture<>();
        loop.execute(() -> idleness.whenIdle(idle));
        return idle;
    }

    @Override
    public CompletableFuture<Quiescence> quiescence() {
        return CompletableFuture.supplyAsync(this::quiescent, loop);
    }

    private Quiescence quiescent() {
        if (!changes.begun()) {
            return new Quiescence(false, List.of(cache.whyIncomplete()));
        }
        if (leadership.self().isEmpty()) {
            return new Quiescence(false, List.of("another process leads"));
        }
        if (engine.quiet()) {
            return new Quiescence(true, List.of());
        }
        List<String> reasons = new ArrayList<>();
        operations()
                .forEach(operation -> reasons.add(operation.step() + " of " + operation.key() + " is "
                        + operation.state() + ", attempt " + operation.attempt()));
        plans().forEach((key, plan) -> plan.steps().forEach(step -> reasons.add(key + ": " + step.describe())));
        return new Quiescence(false, reasons.isEmpty() ? List.of("an object is about to be looked at") : reasons);
    }

    private List<Engine<?, ?, ?>> engines() {
        return List.of(engine);
    }

    @Override
    public List<String> end() {
        ports.plugins().removeListener(pluginsChanged);
        leadership.close();
        Runnable closesWatches = cache.end();
        List<String> left = engine.close();
        counts.close();
        metrics.close();
        features.forEach(Feature::closed);
        gone.close();
        closesWatches.run();
        return left;
    }

    /** Whether there is no dirty, running or postponed work; for tests and simulators, on the loop. */
    public boolean quiet() {
        return engine.quiet();
    }

    private void onLoop(Runnable task) {
        loop.execute(task);
    }

    private void take(List<ClusterCalls.Seen> seen) {
        seen.forEach(answer -> answer.into(cache));
    }

    private boolean inTree(String className) {
        return cache.get(ObjectKey.storageClass(className), StorageClass.class)
                .filter(found -> ports.plugins()
                        .migration()
                        .driverFor(found.provisioner())
                        .isPresent())
                .isPresent();
    }

    private void tryEverythingAgain() {
        engine.forgetAllFailures();
        changes.refresh();
    }

    private void dirty(ObjectKey key) {
        engine.dirty(key);
    }
}
