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
 * What a {@link Simulation} is to consist of. Not thread-safe.
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

    SimulationBuilder(long seed) {
        this.seed = seed;
    }

    /** Default {@code n1}. */
    public SimulationBuilder nodes(List<String> names) {
        nodes = List.copyOf(names);
        return this;
    }

    /** How many control planes there are, of which one leads; default 0. */
    public SimulationBuilder controllers(int count) {
        controllers = count;
        return this;
    }

    /** Adds a process that works in the name of that driver apart from the controllers; by default there is none. */
    public SimulationBuilder outside(OutsideProcess.Role role, String driver) {
        outside.computeIfAbsent(driver, any -> EnumSet.noneOf(OutsideProcess.Role.class))
                .add(role);
        return this;
    }

    /**
     * Adds a program of the host's own, which {@link Simulation#start} starts last.
     *
     * @param name not that of a node, and not {@code controller-} and a number
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

    /** Gives nodes machines with mount tables and files; by default their mounts are records of the storage only. */
    public SimulationBuilder machines() {
        machines = true;
        return this;
    }

    /**
     * Runs the controllers, and what works apart from them, on that node, with its machine and its root directory, so that plugins
     * whose provisioners make files on a host can be at work. They die with the machine. Implies {@link #machines}. By default
     * controllers have no machine.
     *
     * @param node one of the nodes of this world; checked by {@link #build}
     */
    public SimulationBuilder controllersOn(String node) {
        controllersOn = Objects.requireNonNull(node, "node");
        machines = true;
        return this;
    }

    /**
     * Adds features of controllers beside binding, under the names of the components in scenario files, such as {@code expand};
     * none by default.
     *
     * @throws IllegalArgumentException if there is no such feature; the message names those that there are
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

    /** Gives nodes a runtime that knows which pods' containers run; by default the pod objects tell. */
    public SimulationBuilder podRuntimes() {
        podRuntimes = true;
        return this;
    }

    /** Starts processes anew some seconds after they died; by default the test must do that. */
    public SimulationBuilder restarts() {
        restarts = true;
        return this;
    }

    /** Runs calls on threads of their own, that stop before and after each effect; by default each runs in one go. */
    public SimulationBuilder steppedCalls() {
        steps = true;
        return this;
    }

    /** Nothing runs any more once a rule was broken; by default the world goes on. */
    public SimulationBuilder stopsWhenBroken() {
        stopsWhenBroken = true;
        return this;
    }

    /**
     * Has the calls of steps wait in {@link Simulation#openCalls}, and everything else run at once in one order, so that
     * the test that explores the world makes every choice.
     */
    public SimulationBuilder explored() {
        explored = true;
        return this;
    }

    /** Breaks a run off that needs more tasks than that, with an {@link IllegalStateException}; default no limit. */
    public SimulationBuilder mostSteps(long tasks) {
        mostSteps = tasks;
        return this;
    }

    /** Bounds of the nodes' journals; by default such that they are compacted often. */
    SimulationBuilder journal(JournalOptions options) {
        journal = options;
        return this;
    }

    /** Sets the storage up. */
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

    /**
     * Calls the listener before each call of a step, on the worker that makes it, with the key of what the step is about and the
     * kind of the step.
     */
    public SimulationBuilder beforeCalls(BiConsumer<Object, Enum<?>> listener) {
        return seams(given -> given.with(new BeforeCalls(listener)));
    }

    /** Has controllers of objects decide only at visits, see {@link Simulation#visit}; by default they decide at each change. */
    public SimulationBuilder decidesAtVisits() {
        visits = true;
        return this;
    }

    /** Has controllers only attach and detach; by default they bind and provision too. */
    public SimulationBuilder withoutBinding() {
        binding = false;
        return this;
    }

    /** How often attachments are held against what the backend says; default never. */
    public SimulationBuilder verifyEvery(Duration time) {
        verifyEvery = time;
        return this;
    }

    /** Has controllers name VolumeAttachments as Kubernetes does; by default they have names of this library. */
    public SimulationBuilder kubernetesNames() {
        kubernetesNames = true;
        return this;
    }

    /** How many volumes of the plugin {@code mem} a node can have; the oracle judges it. Default no limit. */
    public SimulationBuilder attachLimit(int volumes) {
        attachLimits = Map.of("mem", volumes);
        return this;
    }

    /** How many calls a node may have under way; the oracle judges it. Default as in production. */
    public SimulationBuilder callLimits(OperationLimits limits) {
        callLimits = new OperationExecutor.Limits(limits.running(), limits.writtenOffPerPlugin(), limits.writtenOff());
        return this;
    }

    /** What nodes make of {@link #callLimits}; default the same. */
    SimulationBuilder appliedLimits(UnaryOperator<OperationExecutor.Limits> change) {
        appliedLimits = change;
        return this;
    }

    /** What comes between plugins and the process that they live in; default nothing. */
    public SimulationBuilder host(UnaryOperator<PluginHost> change) {
        host = change;
        return this;
    }

    /** The library does not remember which secrets plugins were told; by default that is done as in production. */
    public SimulationBuilder forgetsSecrets() {
        forgetsSecrets = true;
        return this;
    }

    /** What comes between the library and the threads that make its calls and write its journal; default nothing. */
    public SimulationBuilder threads(UnaryOperator<Executor> change) {
        threads = change;
        return this;
    }

    /** Which driver answers where a plugin asks; default the one of its name. */
    public SimulationBuilder drivers(UnaryOperator<String> byPlugin) {
        drivers = byPlugin;
        return this;
    }

    /** How storage that drivers took over is translated; as in production by default. */
    public SimulationBuilder migration(CsiMigration value) {
        migration = value;
        return this;
    }

    /** Has controllers told when they begin to lead; by default they have to ask. */
    public SimulationBuilder tellsOfLeaders() {
        tellsOfLeaders = true;
        return this;
    }

    /** Says that the plugins mount volumes with the labels of pods. */
    public SimulationBuilder labels() {
        labels = true;
        return this;
    }

    /** @throws IllegalStateException if the controllers are to run on a node that there is not */
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
                new Makeup.Course(seed, steps, explored, restarts, tellsOfLeaders, stopsWhenBroken, mostSteps),
                threads,
                (visits ? seams.with(limiting) : seams).with(new HeardPlans(onPlan))));
    }
}
