package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Step;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Builds a {@link Simulation}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class SimulationBuilder {
    private final long seed;
    private List<String> nodes = List.of("n1");
    private int controllers;
    private final Map<String, HostProgram> programs = new LinkedHashMap<>();
    private final Map<String, Set<OutsideProcess.Role>> outside = new LinkedHashMap<>();
    private AttachMode attachMode = AttachMode.SELF;
    private boolean machines;
    private String controllersOn = "";
    private boolean podRuntimes;
    private boolean restarts;
    private boolean stopsWhenBroken;
    private boolean steps;
    private boolean explored;
    private BiConsumer<String, Plan<? extends Step>> onPlan = (reconciler, decided) -> {};
    private long mostSteps = Long.MAX_VALUE;
    private JournalOptions journal = NodeProcess.smallJournal();
    private UnaryOperator<InMemoryStorage.Builder> storage = builder -> builder;
    private CsiMigration migration = CsiMigration.standard();
    private BiFunction<Simulation, SimProcess, List<VolumePlugin>> plugins =
            (world, process) -> List.of(InMemoryPlugin.on(world.storage()));
    private EngineSeams seams = EngineSeams.none();
    private boolean visits;
    private boolean binding = true;
    private OperationExecutor.Limits callLimits = OperationExecutor.Limits.standard();
    private UnaryOperator<OperationExecutor.Limits> appliedLimits = limits -> limits;
    private UnaryOperator<Executor> threads = executor -> executor;
    private UnaryOperator<PluginHost> host = given -> given;
    private UnaryOperator<String> drivers = plugin -> plugin;
    private boolean forgetsSecrets;
    private final Set<String> features = new LinkedHashSet<>();
    private Duration verifyEvery = Duration.ZERO;
    private boolean kubernetesNames;
    private Map<String, Integer> attachLimits = Map.of();
    private boolean labels;
    private boolean tellsOfLeaders;
    private boolean judged = true;

    SimulationBuilder(long seed) {
        this.seed = seed;
    }

    /** Default {@code n1}. */
    public SimulationBuilder nodes(List<String> names) {
        nodes = List.copyOf(names);
        return this;
    }

    /** The number of control planes, one of which leads; default 0. */
    public SimulationBuilder controllers(int count) {
        controllers = count;
        return this;
    }

    /** Adds a process for that driver outside of the controllers; none by default. */
    public SimulationBuilder outside(OutsideProcess.Role role, String driver) {
        outside.computeIfAbsent(driver, any -> EnumSet.noneOf(OutsideProcess.Role.class))
                .add(role);
        return this;
    }

    /**
     * Adds a program of the host. {@link Simulation#start} starts it last.
     * @param name a name that no node has, and not {@code controller-} with a number
     */
    public SimulationBuilder program(String name, HostProgram program) {
        programs.put(name, program);
        return this;
    }

    /** Default {@link AttachMode#SELF}. */
    public SimulationBuilder attachMode(AttachMode mode) {
        attachMode = mode;
        return this;
    }

    /** Gives nodes machines with mount tables and files. By default only the storage records their mounts. */
    public SimulationBuilder machines() {
        machines = true;
        return this;
    }

    /**
     * Runs the controllers and the {@link #outside} processes on that node, with its machine and its root directory,
     * for plugins whose provisioners create files on a host. They die with the machine. Implies {@link #machines}. By
     * default controllers have no machine.
     *
     * @param node one of the nodes of this world; checked by {@link #build}
     */
    public SimulationBuilder controllersOn(String node) {
        controllersOn = Objects.requireNonNull(node, "node");
        machines = true;
        return this;
    }

    /**
     * Adds features of controllers in addition to binding, with the names of the components in scenario files, such
     * as {@code expand}; none by default.
     * @throws IllegalArgumentException if there is no such feature; the message names the known features
     */
    public SimulationBuilder features(String... words) {
        Set<String> known = ControllerFeatures.words();
        for (String word : words) {
            if (!known.contains(word)) {
                throw new IllegalArgumentException("no feature is called " + word + "; there are " + known);
            }
            features.add(word);
        }
        return this;
    }

    /** Gives nodes a pod runtime, which knows which pods' containers run. By default nodes use the pod objects. */
    public SimulationBuilder podRuntimes() {
        podRuntimes = true;
        return this;
    }

    /** Restarts processes some seconds after they died. By default the test must do that. */
    public SimulationBuilder restarts() {
        restarts = true;
        return this;
    }

    /**
     * Runs calls on their own threads, which pause before and after each effect. By default each call runs without a
     * pause.
     */
    public SimulationBuilder steppedCalls() {
        steps = true;
        return this;
    }

    /** Stops the world when a rule is broken. By default the world continues. */
    public SimulationBuilder stopsWhenBroken() {
        stopsWhenBroken = true;
        return this;
    }

    /**
     * The calls of steps wait in {@link Simulation#openCalls}, and everything else runs at once in one fixed order.
     * The test that explores the world then makes every choice.
     */
    public SimulationBuilder explored() {
        explored = true;
        return this;
    }

    /** Ends a run that needs more tasks than this, with an {@link IllegalStateException}. No limit by default. */
    public SimulationBuilder mostSteps(long tasks) {
        mostSteps = tasks;
        return this;
    }

    /** Bounds of the nodes' journals; by default such that they are compacted often. */
    SimulationBuilder journal(JournalOptions options) {
        journal = options;
        return this;
    }

    /** Changes the settings of the storage. */
    public SimulationBuilder storage(UnaryOperator<InMemoryStorage.Builder> change) {
        storage = change;
        return this;
    }

    /** The plugins of each incarnation of each process; default one named {@code mem} with every capability. */
    public SimulationBuilder plugins(BiFunction<Simulation, SimProcess, List<VolumePlugin>> factory) {
        plugins = factory;
        return this;
    }

    /** Called for each plan of {@code node}, {@code attach}, {@code record} or {@code binding}, on the world's thread. */
    SimulationBuilder onPlan(BiConsumer<String, Plan<? extends Step>> listener) {
        onPlan = listener;
        return this;
    }

    /** Changes what comes between the engines and their parts; by default nothing does. */
    SimulationBuilder seams(UnaryOperator<EngineSeams> change) {
        seams = change.apply(seams);
        return this;
    }

    /** Calls the listener before each call of a step, on the worker that makes it, with the step's key and kind. */
    public SimulationBuilder beforeCalls(BiConsumer<Object, Enum<?>> listener) {
        return seams(given -> given.with(new BeforeCalls(listener)));
    }

    /**
     * Controllers of objects decide only at visits, see {@link Simulation#visit}. By default they decide at each
     * change.
     */
    public SimulationBuilder decidesAtVisits() {
        visits = true;
        return this;
    }

    /** Controllers only attach and detach. By default they also bind and provision. */
    public SimulationBuilder withoutBinding() {
        binding = false;
        return this;
    }

    /** How often controllers compare attachments with the backend; never by default. */
    public SimulationBuilder verifyEvery(Duration time) {
        verifyEvery = time;
        return this;
    }

    /** Controllers name VolumeAttachments as Kubernetes does. By default they use the library's own names. */
    public SimulationBuilder kubernetesNames() {
        kubernetesNames = true;
        return this;
    }

    /** How many volumes of the plugin {@code mem} a node can have; the oracle checks it. No limit by default. */
    public SimulationBuilder attachLimit(int volumes) {
        attachLimits = Map.of("mem", volumes);
        return this;
    }

    /** How many concurrent calls a node may have; the oracle checks it. By default as in production. */
    public SimulationBuilder callLimits(OperationLimits limits) {
        callLimits = new OperationExecutor.Limits(limits.running(), limits.writtenOffPerPlugin(), limits.writtenOff());
        return this;
    }

    /** What nodes make of {@link #callLimits}; default the same. */
    SimulationBuilder appliedLimits(UnaryOperator<OperationExecutor.Limits> change) {
        appliedLimits = change;
        return this;
    }

    /** Wraps the host of plugins; no wrapper by default. */
    public SimulationBuilder host(UnaryOperator<PluginHost> change) {
        host = change;
        return this;
    }

    /** The library does not remember the secrets that plugins got. By default it does, as in production. */
    public SimulationBuilder forgetsSecrets() {
        forgetsSecrets = true;
        return this;
    }

    /** Wraps the executors that make the library's calls and write its journal; no wrapper by default. */
    public SimulationBuilder threads(UnaryOperator<Executor> change) {
        threads = change;
        return this;
    }

    /** The driver that answers each plugin; by default the one with its name. */
    public SimulationBuilder drivers(UnaryOperator<String> byPlugin) {
        drivers = byPlugin;
        return this;
    }

    /** The translation of in-tree volumes to CSI; as in production by default. */
    public SimulationBuilder migration(CsiMigration value) {
        migration = value;
        return this;
    }

    /** Controllers get a notification when they become leader. By default they must ask. */
    public SimulationBuilder tellsOfLeaders() {
        tellsOfLeaders = true;
        return this;
    }

    /**
     * Builds a world without an oracle, whose watches keep the order of events, and that has no limit on tasks within a second. It
     * is for worlds of thousands of nodes without faults, in which a test counts something. By default the oracle judges the world,
     * and each object makes that dearer.
     */
    SimulationBuilder unjudged() {
        judged = false;
        return this;
    }

    /** Says that the plugins mount volumes with the SELinux labels of pods. */
    public SimulationBuilder labels() {
        labels = true;
        return this;
    }

    /**
     *
     * @throws IllegalStateException if {@link #controllersOn} names a node that does not exist
     */
    public Simulation build() {
        if (!controllersOn.isEmpty() && !nodes.contains(controllersOn)) {
            throw new IllegalStateException(
                    "controllersOn(\"" + controllersOn + "\") names no node of this world; there are " + nodes);
        }
        Visits limiting = new Visits();
        return new Simulation(new Makeup(
                attachMode,
                new Makeup.Cast(
                        nodes,
                        controllers,
                        Collections.unmodifiableMap(new LinkedHashMap<>(outside)),
                        Collections.unmodifiableMap(new LinkedHashMap<>(programs))),
                new Makeup.Nodes(machines, podRuntimes, journal, callLimits, appliedLimits.apply(callLimits)),
                new Makeup.Control(
                        controllersOn,
                        binding,
                        Collections.unmodifiableSet(new LinkedHashSet<>(features)),
                        verifyEvery,
                        attachLimits,
                        kubernetesNames,
                        limiting),
                new Makeup.Plugins(storage, plugins, host, drivers, migration, forgetsSecrets, labels),
                new Makeup.Course(seed, judged, steps, explored, restarts, tellsOfLeaders, stopsWhenBroken, mostSteps),
                threads,
                (visits ? seams.with(limiting) : seams).with(new HeardPlans(onPlan))));
    }
}
