package io.volume4j.inmemory.sim;

import io.volume4j.core.control.attach.AttachKey;
import io.volume4j.core.control.attach.AttachStep;
import io.volume4j.core.control.attach.AttachView;
import io.volume4j.core.control.attach.RecordStep;
import io.volume4j.core.control.attach.RecordView;
import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.control.run.Task;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.oracle.Oracle;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.plugin.StorageListener;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one thread and in virtual time: the store, a storage backend, nodes and controllers that run the same
 * code as in production, and everything that can go wrong between them. One seed decides every choice; the same seed and
 * the same calls give the same run, and {@link #hash()} stands for it.
 *
 * <p>Processes are started by {@link SimProcess#start()}. Time passes only in {@link #advance} and {@link #settle}. An
 * {@link Oracle} judges every call and every state between two steps: {@link #violations()} must be empty. Not thread-safe;
 * to be closed where calls step.
 */
public final class Simulation implements AutoCloseable {
    private final Makeup plan;
    private final VirtualScheduler scheduler;
    private final Trace trace = new Trace();
    private final Traffic traffic;
    private final Leases leases;
    private final @Nullable OpenCalls open;
    private final BiConsumer<String, Plan<? extends Step>> onPlan;
    private final ManualClock clock = new ManualClock();
    private final InMemoryCluster cluster;
    private final InMemoryStorage storage;
    private final InMemorySecrets secrets = new InMemorySecrets();
    private final RecordingEvents events = new RecordingEvents();
    private final Oracle oracle = new Oracle();
    private final Judge judge;
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private final List<NodeProcess> allNodes;
    private final List<ControlProcess> controllers = new ArrayList<>();
    private final Map<String, HostProcess> programs = new LinkedHashMap<>();
    private final List<OutsideProcess> outside = new ArrayList<>();
    private final Set<Kind> incomplete = EnumSet.noneOf(Kind.class);
    private final Set<Kind> late = EnumSet.noneOf(Kind.class);
    private final Map<String, Fence> fences = new TreeMap<>();
    private Consumer<SimProcess> onStart = process -> {};

    /** What a world consists of. */
    record Makeup(
            AttachMode attachMode,
            boolean machines,
            boolean podRuntimes,
            boolean restarts,
            boolean stopsWhenBroken,
            JournalOptions journal,
            BiFunction<Simulation, SimProcess, List<VolumePlugin>> plugins,
            Seams<VolumeId, VolumeView, NodeStep> nodeSeams,
            Seams<ObjectKey, BindingView, BindingStep> bindingSeams,
            boolean binding,
            Set<Task> tasks,
            Duration verifyEvery,
            Map<String, Integer> attachLimits,
            boolean labels,
            OperationExecutor.Limits callLimits,
            UnaryOperator<PluginHost> host,
            UnaryOperator<String> drivers,
            boolean forgetsSecrets,
            Seams<AttachKey, AttachView, AttachStep> attachSeams,
            Seams<ObjectKey, RecordView, RecordStep> recordSeams) {}

    private Simulation(Builder builder) {
        plan = new Makeup(
                builder.attachMode,
                builder.machines,
                builder.podRuntimes,
                builder.restarts,
                builder.stopsWhenBroken,
                builder.journal,
                builder.plugins,
                builder.nodeSeams,
                builder.bindingSeams,
                builder.binding,
                builder.tasks,
                builder.verifyEvery,
                builder.attachLimits,
                builder.labels,
                builder.appliedLimits.apply(builder.callLimits),
                builder.host,
                builder.drivers,
                builder.forgetsSecrets,
                builder.attachSeams,
                builder.recordSeams);
        scheduler = new VirtualScheduler(builder.seed, ManualClock.START);
        onPlan = builder.onPlan;
        open = builder.explored ? new OpenCalls() : null;
        if (open != null) {
            scheduler.inOrder();
        }
        traffic = new Traffic(scheduler, trace, builder.steps, open);
        leases = new Leases(scheduler, traffic, builder.tellsOfLeaders);
        cluster = InMemoryCluster.builder().clock(clock).rememberedWrites(2_000).build();
        judge = new Judge(this, oracle, trace);
        traffic.judge(judge);
        storage = builder.storage
                .apply(InMemoryStorage.builder().clock(clock).rememberedCalls(10_000))
                .gate(traffic)
                .listener(judge)
                .build();
        oracle.root(NodeProcess.ROOT);
        if (plan.attachMode() == AttachMode.SELF) {
            oracle.nodesAttach();
        }
        scheduler.mostSteps(builder.mostSteps);
        scheduler.onTime(clock::advance);
        scheduler.afterStep(judge::afterStep);
        for (String name : builder.nodes) {
            nodes.put(name, new NodeProcess(name, this));
        }
        allNodes = List.copyOf(nodes.values());
        nodes.keySet().forEach(node -> oracle.callLimit(node, builder.callLimits.threads()));
        plan.attachLimits().values().forEach(most -> nodes.keySet().forEach(node -> oracle.limit(node, most)));
        for (int i = 1; i <= builder.controllers; i++) {
            controllers.add(new ControlProcess("controller-" + i, this));
        }
        builder.outside.forEach(
                (driver, roles) -> roles.forEach(role -> outside.add(new OutsideProcess(role, driver, this))));
        outside.stream()
                .filter(process -> process.role() == OutsideProcess.Role.ATTACHER)
                .forEach(process -> oracle.obeys(process.name()));
        builder.programs.forEach((name, program) -> programs.put(name, new HostProcess(name, this, program)));
    }

    /** A world with one node, no controller, and the plugin {@code mem}. */
    public static Builder builder(long seed) {
        return new Builder(seed);
    }

    /** The store; a test writes to it with {@link InMemoryCluster#apply}, which no fault touches. */
    public InMemoryCluster cluster() {
        return cluster;
    }

    public InMemoryStorage storage() {
        return storage;
    }

    public InMemorySecrets secrets() {
        return secrets;
    }

    public RecordingEvents events() {
        return events;
    }

    /**
     * The node of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public NodeProcess node(String name) {
        NodeProcess node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("there is no node " + name + "; there are " + nodes.keySet());
        }
        return node;
    }

    public List<NodeProcess> nodes() {
        return allNodes;
    }

    /** The controllers; the first leads once it is started by {@link #start}. */
    public List<ControlProcess> controllers() {
        return Collections.unmodifiableList(controllers);
    }

    /** What works for single drivers apart from the controllers. */
    public List<OutsideProcess> outside() {
        return Collections.unmodifiableList(outside);
    }

    /** The drivers whose VolumeAttachments are carried out apart from the controllers. */
    Set<String> attachedOutside() {
        Set<String> drivers = new LinkedHashSet<>();
        for (OutsideProcess process : outside) {
            if (process.role() == OutsideProcess.Role.ATTACHER) {
                drivers.add(process.driver());
            }
        }
        return drivers;
    }

    /**
     * The host's program of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public HostProcess program(String name) {
        HostProcess program = programs.get(name);
        if (program == null) {
            throw new IllegalArgumentException("there is no program " + name + "; there are " + programs.keySet());
        }
        return program;
    }

    /** Starts all nodes, the first controller, which leads, what works apart from it, and the host's programs. */
    public Simulation start() {
        nodes.values().forEach(SimProcess::start);
        if (!controllers.isEmpty()) {
            leases.grant(controllers.get(0));
            controllers.get(0).start();
        }
        outside.forEach(SimProcess::start);
        programs.values().forEach(SimProcess::start);
        return this;
    }

    /**
     * Another controller is to lead; it is started if it does not run. The one that led does not know it and cannot renew
     * its lease; when that has ended, the other one leads.
     */
    public void leaderChange() {
        SimProcess before = leases.elected();
        for (ControlProcess next : controllers) {
            if (!next.equals(before)) {
                tell(next.name() + " leads");
                leases.grant(next);
                if (!next.alive()) {
                    next.start();
                }
                return;
            }
        }
        throw new IllegalStateException("there is no second controller");
    }

    /** New instances of the plugins that the process has by plan. */
    public List<VolumePlugin> pluginsOf(SimProcess process) {
        return plan.plugins().apply(this, process);
    }

    /** How rough it is from now on. */
    public void turbulence(Turbulence turbulence) {
        traffic.turbulence(turbulence);
    }

    /** Objects of the kind cannot be listed, or can be again; the watches of it break. */
    public void incomplete(Kind kind, boolean value) {
        if (value) {
            incomplete.add(kind);
        } else {
            incomplete.remove(kind);
        }
        tell((value ? "incomplete " : "complete ") + kind.apiName());
        processes().forEach(SimProcess::breakWatches);
    }

    /** What happens to objects of the kind is shown by no watch any more, or by each again, with what it has held back. */
    public void watchesLate(Kind kind, boolean value) {
        if (value) {
            late.add(kind);
        } else {
            late.remove(kind);
        }
        tell((value ? "no watch shows " : "watches show ") + kind.apiName());
        processes().forEach(SimProcess::lookAtWatches);
    }

    boolean late(Kind kind) {
        return late.contains(kind);
    }

    /** What an authority knows of a node: that its machine is off, or what it was told of one that is cut off. */
    Optional<Fence> evidence(String node) {
        NodeProcess process = nodes.get(node);
        if (process == null) {
            return Optional.empty();
        }
        if (process.poweredOff()) {
            return Optional.of(off(node));
        }
        return process.partitioned() ? Optional.ofNullable(fences.get(node)) : Optional.empty();
    }

    private static Fence off(String node) {
        return new Fence(Fence.Kind.AUTHORITY_PROOF, node, "its machine is off");
    }

    /** Whether volumes are mounted with the labels of pods. */
    public boolean labels() {
        return plan.labels();
    }

    /** How many volumes a node can have; {@link Integer#MAX_VALUE} for any number. */
    public int attachLimit() {
        return plan.attachLimits().getOrDefault("mem", Integer.MAX_VALUE);
    }

    /** The node is proved to be cut off, or is back. */
    public void fence(String node, boolean fenced) {
        if (fenced) {
            fence(off(node));
            return;
        }
        tell("unfence " + node);
        oracle.fenced(node, false);
        fences.remove(node);
        storage.unfence(node);
    }

    /**
     * The node is cut off, whoever says so: what it holds stands against nobody. An authority knows of it, unless it is a
     * person who says it, which stands in the node's object.
     */
    public void fence(Fence fence) {
        String node = fence.nodeName();
        tell("fence " + node);
        oracle.fenced(node, true);
        storage.fence(node);
        if (fence.kind() != Fence.Kind.OPERATOR_ASSERTION) {
            fences.put(node, fence);
        }
    }

    /** Removes all scripted faults and lets hanging calls go on. */
    public void heal() {
        storage.faults().heal();
        cluster.heal();
        nodes.values()
                .forEach(node ->
                        node.machine().ifPresent(machine -> machine.faults().heal()));
        traffic.releaseHanging();
    }

    /** The process that comes to that many places where a call can be interrupted dies at the last of them. */
    public void crashAt(long boundary) {
        traffic.crashAt(boundary);
    }

    /** The process that makes that many changes, counted over all processes, dies right behind the last of them. */
    public void crashBehind(long effect) {
        traffic.crashBehind(effect);
    }

    /** Calls so far that changed something at the storage or in the cluster. */
    public long effects() {
        return traffic.effects();
    }

    /** Places so far where a process could have died in the middle of a call. */
    public long boundaries() {
        return traffic.boundaries();
    }

    /**
     * The calls that wait to be told what becomes of them.
     *
     * @throws IllegalStateException if the world was not built to be {@linkplain Builder#explored explored}
     */
    public OpenCalls openCalls() {
        if (open == null) {
            throw new IllegalStateException("the calls of this world go on by themselves");
        }
        return open;
    }

    /** What comes between an engine and its parts: whoever hears of plans, and whoever chooses calls. */
    <K, V, S extends Step> Seams<K, V, S> seams(String reconciler, Seams<K, V, S> seams) {
        Seams<K, V, S> heard = seams.withPlanner(planner -> {
            Planner<V, S> decides = seams.planner().apply(planner);
            return view -> {
                Plan<S> decided = decides.plan(view);
                onPlan.accept(reconciler, decided);
                return decided;
            };
        });
        return open == null ? heard : open.announcing(heard);
    }

    /** The name of the controller that leads, {@code ""} while none does. */
    public String leads() {
        SimProcess holder = leases.holder();
        return holder == null ? "" : holder.name();
    }

    /** Runs whatever can run without time passing. */
    public void runReady() {
        scheduler.runReady();
    }

    /** Lets time pass to the next thing that falls due until then and runs what comes of it; false if nothing does. */
    public boolean passToNext(Duration until) {
        boolean passed = scheduler.stepUntil(until);
        scheduler.runReady();
        return passed;
    }

    /** Runs one task that can run now; false if there is none. */
    public boolean step() {
        return scheduler.step();
    }

    /** Runs one task, or lets time pass to the next thing that falls due until then; false if nothing is left until then. */
    public boolean stepUntil(Duration moment) {
        return scheduler.stepUntil(moment);
    }

    /**
     * What processes leave behind when all of them die now: equal numbers are an equal cluster, storage, machines and journals.
     * What they only thought, and calls that were sent and have had no effect, are not in it.
     */
    public List<Long> leftBehind() {
        List<Long> left = new ArrayList<>(List.of(traffic.effects(), trace.count(), Long.valueOf(cluster.revision())));
        for (NodeProcess node : nodes.values()) {
            left.add(node.journal().bytesBehindSnapshot());
            left.add((long) node.journal().unsyncedRecords());
        }
        return left;
    }

    /** Lets time pass, doing what falls due. */
    public void advance(Duration time) {
        scheduler.advance(time);
    }

    /** Runs until nothing is left to do, at most this long in virtual time; whether it came to rest. */
    public boolean settle(Duration most) {
        Duration end = scheduler.elapsed().plus(most);
        while (scheduler.stepUntil(end)) {
            // Whatever falls due until then.
        }
        return scheduler.nextDue() == null;
    }

    /** Virtual time since the beginning. */
    public Duration elapsed() {
        return scheduler.elapsed();
    }

    /** Tasks run so far. */
    public long steps() {
        return scheduler.steps();
    }

    /** Things that went wrong so far by {@link Turbulence}. */
    public long faults() {
        return traffic.faults();
    }

    /** Stands for the whole run so far: every choice, when, every call and what came of it. */
    public long hash() {
        return scheduler.hash() * 31 + trace.hash();
    }

    /** The latest lines of what happened outside. */
    public List<String> trace() {
        return trace.latest();
    }

    /** Everything that was done and may never be, in order, whoever noticed it. */
    public List<Violation> violations() {
        List<Violation> all = new ArrayList<>(oracle.violations());
        all.addAll(storage.violations());
        nodes.values().forEach(node -> node.machine().ifPresent(machine -> all.addAll(machine.violations())));
        return all;
    }

    /** Whether any rule was broken; cheaper than {@link #violations()}. */
    public boolean broken() {
        boolean broken = oracle.violationCount() > 0 || storage.violated();
        for (int i = 0; i < allNodes.size() && !broken; i++) {
            InMemoryMountBackend machine = allNodes.get(i).itsMachine();
            broken = machine != null && machine.violated();
        }
        return broken;
    }

    public Oracle oracle() {
        return oracle;
    }

    /**
     * Has somebody else judge too.
     *
     * @param calls told of the calls of processes that live, and of every effect
     * @param writes told of each write of the library to the cluster, right after it
     */
    public void judgedBy(StorageListener calls, Consumer<String> writes) {
        judge.also(calls, writes);
    }

    /**
     * The value of a future of the world, which is run as long as that needs no time to pass.
     *
     * @throws IllegalStateException if it is not done then
     */
    public <T> T get(CompletableFuture<T> future) {
        while (!future.isDone() && scheduler.step()) {
            // Until whoever answers has been reached.
        }
        if (!future.isDone()) {
            throw new IllegalStateException("not done without time passing: " + future);
        }
        return future.join();
    }

    @Override
    public void close() {
        traffic.close();
    }

    /** Called each time when a process has been started, by whomever. */
    public void onStart(Consumer<SimProcess> listener) {
        onStart = listener;
    }

    /** Runs the action once that much time has passed, as something that happens outside of every process. */
    public void later(Duration delay, Runnable action) {
        scheduler.later(delay, action);
    }

    /** Randomness of its own for a part of the world that a test plays. */
    public RandomGenerator random() {
        return scheduler.random();
    }

    /** Writes a line into the trace. */
    public void tell(String line) {
        trace.add(scheduler.elapsed(), line);
    }

    List<SimProcess> processes() {
        List<SimProcess> all = new ArrayList<>(nodes.values());
        all.addAll(controllers);
        all.addAll(outside);
        all.addAll(programs.values());
        return all;
    }

    Makeup plan() {
        return plan;
    }

    VirtualScheduler scheduler() {
        return scheduler;
    }

    Traffic traffic() {
        return traffic;
    }

    Leases leases() {
        return leases;
    }

    /** Where processes measure; labels are looked through where there are secrets. */
    MetricsSink metrics() {
        if (!oracle.hasSecrets()) {
            return MetricsSink.none();
        }
        return new MetricsSink() {
            @Override
            public void count(String name, Map<String, String> labels, long amount) {
                oracle.said("metric " + name, labels.toString());
            }

            @Override
            public void time(String name, Map<String, String> labels, Duration duration) {
                oracle.said("metric " + name, labels.toString());
            }

            @Override
            public void gauge(String name, Map<String, String> labels, long value) {
                oracle.said("metric " + name, labels.toString());
            }
        };
    }

    /** {@link #events()} as processes reach them: each is looked through. */
    EventSink heardEvents() {
        return event -> {
            events.event(event);
            oracle.said("event " + event.reason(), event.message());
        };
    }

    /** Looks through what the node has written to its disk. */
    public void readJournal(NodeProcess node) {
        for (String secret : oracle.secrets()) {
            if (node.journal().holds(secret)) {
                oracle.said("journal of " + node.name(), secret);
            }
        }
    }

    /** Where plugins get their secrets from past their process, empty where they ask it as they should. */
    public Optional<SecretResolver> unwatchedSecrets() {
        return plan.forgetsSecrets() ? Optional.of(secrets) : Optional.empty();
    }

    /** The driver that answers where a plugin of that name asks. */
    public String driverOf(String plugin) {
        return plan.drivers().apply(plugin);
    }

    ProcessCluster clusterFor(SimProcess process) {
        oracle.processStarted(process.name());
        return new ProcessCluster(process, cluster, incomplete, traffic, scheduler, judge);
    }

    PluginRegistry pluginsFor(SimProcess process, PluginHost host) {
        return PluginRegistry.builder(plan.host().apply(host))
                .plugins(plan.plugins().apply(this, process))
                .build();
    }

    void started(SimProcess process) {
        onStart.accept(process);
    }

    void died(SimProcess process) {
        oracle.processDied(process.name());
        if (process instanceof NodeProcess node) {
            readJournal(node);
        }
        if (plan.restarts()) {
            Duration pause = Duration.ofMillis(1 + traffic.fate().nextLong(20_000));
            int incarnation = process.incarnation();
            scheduler.later(pause, () -> {
                if (!process.alive() && process.incarnation() == incarnation) {
                    process.start();
                }
            });
        }
    }

    void rebooted(NodeProcess node) {
        storage.nodeRebooted(node.name());
        oracle.rebooted(node.name());
    }

    /** Not thread-safe. */
    public static final class Builder {
        private final long seed;
        private List<String> nodes = List.of("n1");
        private int controllers;
        private final Map<String, HostProgram> programs = new LinkedHashMap<>();
        private final Map<String, Set<OutsideProcess.Role>> outside = new LinkedHashMap<>();
        private AttachMode attachMode = AttachMode.SELF;
        private boolean machines;
        private boolean podRuntimes;
        private boolean restarts;
        private boolean stopsWhenBroken;
        private boolean steps;
        private boolean explored;
        private BiConsumer<String, Plan<? extends Step>> onPlan = (reconciler, decided) -> {};
        private long mostSteps = Long.MAX_VALUE;
        private JournalOptions journal = NodeProcess.smallJournal();
        private UnaryOperator<InMemoryStorage.Builder> storage = builder -> builder;
        private BiFunction<Simulation, SimProcess, List<VolumePlugin>> plugins =
                (world, process) -> List.of(InMemoryPlugin.on(world.storage()));
        private Seams<VolumeId, VolumeView, NodeStep> nodeSeams = Seams.none();
        private Seams<ObjectKey, BindingView, BindingStep> bindingSeams = Seams.none();
        private boolean binding = true;
        private OperationExecutor.Limits callLimits = OperationExecutor.Limits.standard();
        private UnaryOperator<OperationExecutor.Limits> appliedLimits = limits -> limits;
        private UnaryOperator<PluginHost> host = given -> given;
        private UnaryOperator<String> drivers = plugin -> plugin;
        private boolean forgetsSecrets;
        private final Set<Task> tasks = EnumSet.noneOf(Task.class);
        private Duration verifyEvery = Duration.ZERO;
        private Map<String, Integer> attachLimits = Map.of();
        private boolean labels;
        private boolean tellsOfLeaders;
        private Seams<AttachKey, AttachView, AttachStep> attachSeams = Seams.none();
        private Seams<ObjectKey, RecordView, RecordStep> recordSeams = Seams.none();

        private Builder(long seed) {
            this.seed = seed;
        }

        /** Default {@code n1}. */
        public Builder nodes(List<String> names) {
            nodes = List.copyOf(names);
            return this;
        }

        /** How many control planes there are, of which one leads; default 0. */
        public Builder controllers(int count) {
            controllers = count;
            return this;
        }

        /** Adds a process that works in the name of that driver apart from the controllers; by default there is none. */
        public Builder outside(OutsideProcess.Role role, String driver) {
            outside.computeIfAbsent(driver, any -> EnumSet.noneOf(OutsideProcess.Role.class))
                    .add(role);
            return this;
        }

        /**
         * Adds a program of the host's own, which {@link Simulation#start} starts last.
         *
         * @param name not that of a node, and not {@code controller-} and a number
         */
        public Builder program(String name, HostProgram program) {
            programs.put(name, program);
            return this;
        }

        /** Default {@link AttachMode#SELF}. */
        public Builder attachMode(AttachMode mode) {
            attachMode = mode;
            return this;
        }

        /** Gives nodes machines with mount tables and files; by default their mounts are records of the storage only. */
        public Builder machines() {
            machines = true;
            return this;
        }

        /** What controllers do beside binding; nothing by default. */
        public Builder tasks(Set<Task> more) {
            tasks.addAll(more);
            return this;
        }

        /** Gives nodes a runtime that knows which pods' containers run; by default the pod objects tell. */
        public Builder podRuntimes() {
            podRuntimes = true;
            return this;
        }

        /** Starts processes anew some seconds after they died; by default somebody must do that. */
        public Builder restarts() {
            restarts = true;
            return this;
        }

        /** Runs calls on threads of their own, that stop before and after each effect; by default each runs in one go. */
        public Builder steppedCalls() {
            steps = true;
            return this;
        }

        /** Nothing runs any more once a rule was broken; by default the world goes on. */
        public Builder stopsWhenBroken() {
            stopsWhenBroken = true;
            return this;
        }

        /**
         * Has the calls of steps wait in {@link Simulation#openCalls}, and everything else run at once in one order, so that
         * whoever explores the world makes every choice.
         */
        public Builder explored() {
            explored = true;
            return this;
        }

        /** Breaks a run off that needs more tasks than that, with an {@link IllegalStateException}; default no limit. */
        public Builder mostSteps(long tasks) {
            mostSteps = tasks;
            return this;
        }

        /** Bounds of the nodes' journals; by default such that they are compacted often. */
        public Builder journal(JournalOptions options) {
            journal = options;
            return this;
        }

        /** Sets the storage up. */
        public Builder storage(UnaryOperator<InMemoryStorage.Builder> change) {
            storage = change;
            return this;
        }

        /** The plugins of each incarnation of each process; default one named {@code mem} with every capability. */
        public Builder plugins(BiFunction<Simulation, SimProcess, List<VolumePlugin>> factory) {
            plugins = factory;
            return this;
        }

        /** Hears of every plan: of {@code node}, {@code attach}, {@code record} or {@code binding}, on the world's thread. */
        public Builder onPlan(BiConsumer<String, Plan<? extends Step>> listener) {
            onPlan = listener;
            return this;
        }

        /** What comes between the nodes' engines and their parts; default nothing. */
        public Builder nodeSeams(Seams<VolumeId, VolumeView, NodeStep> seams) {
            nodeSeams = seams;
            return this;
        }

        /** What comes between the binding controllers' engines and their parts; default nothing. */
        public Builder bindingSeams(Seams<ObjectKey, BindingView, BindingStep> seams) {
            bindingSeams = seams;
            return this;
        }

        /** What comes between the attach/detach controllers' engines and their parts; default nothing. */
        public Builder attachSeams(Seams<AttachKey, AttachView, AttachStep> seams) {
            attachSeams = seams;
            return this;
        }

        /** The same for the engines that carry VolumeAttachments out. */
        public Builder recordSeams(Seams<ObjectKey, RecordView, RecordStep> seams) {
            recordSeams = seams;
            return this;
        }

        /** Has controllers only attach and detach; by default they bind and provision too. */
        public Builder withoutBinding() {
            binding = false;
            return this;
        }

        /** How often attachments are held against what the backend says; default never. */
        public Builder verifyEvery(Duration time) {
            verifyEvery = time;
            return this;
        }

        /** How many volumes of the plugin {@code mem} a node can have; the oracle judges it. Default no limit. */
        public Builder attachLimit(int volumes) {
            attachLimits = Map.of("mem", volumes);
            return this;
        }

        /** How many calls a node may have under way; the oracle judges it. Default as in production. */
        public Builder callLimits(OperationExecutor.Limits limits) {
            callLimits = limits;
            return this;
        }

        /** What nodes make of {@link #callLimits}; default the same. */
        public Builder appliedLimits(UnaryOperator<OperationExecutor.Limits> change) {
            appliedLimits = change;
            return this;
        }

        /** What comes between plugins and the process that they live in; default nothing. */
        public Builder host(UnaryOperator<PluginHost> change) {
            host = change;
            return this;
        }

        /** Nobody remembers which secrets plugins were told; by default that is done as in production. */
        public Builder forgetsSecrets() {
            forgetsSecrets = true;
            return this;
        }

        /** Which driver answers where a plugin asks; default the one of its name. */
        public Builder drivers(UnaryOperator<String> byPlugin) {
            drivers = byPlugin;
            return this;
        }

        /** Has controllers told when they begin to lead; by default they have to ask. */
        public Builder tellsOfLeaders() {
            tellsOfLeaders = true;
            return this;
        }

        /** Says that the plugins mount volumes with the labels of pods. */
        public Builder labels() {
            labels = true;
            return this;
        }

        public Simulation build() {
            return new Simulation(this);
        }
    }
}
