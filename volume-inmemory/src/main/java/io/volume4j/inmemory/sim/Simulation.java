package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.oracle.Oracle;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.plugin.StorageListener;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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
 *
 * <p>This is what a test does with a world. The work is done by its parts, each of which has one subject.
 *
 * @since 0.1.0
 */
public final class Simulation implements AutoCloseable {
    private final Makeup makeup;
    private final VirtualScheduler scheduler;
    private final Trace trace = new Trace();
    private final Weather weather;
    private final Traffic traffic;
    private final ThreadSupply threads;
    private final Leases leases;
    private final @Nullable OpenCalls open;
    private final EngineSeams seams;
    private final ManualClock clock = new ManualClock();
    private final InMemoryCluster cluster;
    private final InMemoryStorage storage;
    private final InMemorySecrets secrets = new InMemorySecrets();
    private final RecordingEvents events = new RecordingEvents();
    private final Oracle oracle = new Oracle();
    private final Judge judge;
    private final Processes processes;
    private final Visibility visibility = new Visibility();
    private final SecretSearch secretSearch = new SecretSearch(oracle);
    private final Fences fences;
    private Consumer<SimProcess> onStart = process -> {};

    Simulation(Makeup makeup) {
        this.makeup = makeup;
        Makeup.Course course = makeup.course();
        scheduler = new VirtualScheduler(course.seed(), ManualClock.START);
        open = course.explored() ? new OpenCalls() : null;
        seams = open == null ? makeup.seams() : makeup.seams().with(open.announcing());
        if (open != null) {
            scheduler.inOrder();
        }
        weather = new Weather(scheduler.random());
        threads = new ThreadSupply(scheduler, weather, makeup.threads());
        traffic = new Traffic(scheduler, weather, trace, course.steppedCalls(), open);
        leases = new Leases(scheduler, weather, course.tellsOfLeaders());
        cluster = InMemoryCluster.builder().clock(clock).rememberedWrites(2_000).build();
        judge = new Judge(this, oracle, trace);
        storage = makeup.plugins()
                .storage()
                .apply(InMemoryStorage.builder().clock(clock).rememberedCalls(10_000))
                .gate(traffic)
                .listener(judge)
                .build();
        scheduler.mostSteps(course.mostSteps());
        scheduler.onTime(clock::advance);
        scheduler.afterStep(judge::afterStep);
        processes = new Processes(makeup.cast(), this);
        fences = new Fences(processes, storage, oracle);
        judge.begin();
    }

    /** A world with one node, no controller, and the plugin {@code mem}. */
    public static SimulationBuilder builder(long seed) {
        return new SimulationBuilder(seed);
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

    /** New instances of the plugins that the process has by plan. */
    public List<VolumePlugin> pluginsOf(SimProcess process) {
        return makeup.plugins().made().apply(this, process);
    }

    /** Whether volumes are mounted with the labels of pods. */
    public boolean labels() {
        return makeup.plugins().labels();
    }

    /** How many volumes a node can have; {@link Integer#MAX_VALUE} for any number. */
    public int attachLimit() {
        return makeup.control().attachLimits().getOrDefault("mem", Integer.MAX_VALUE);
    }

    /** Where plugins get their secrets from past their process, empty where they ask it as they should. */
    public Optional<SecretResolver> unwatchedSecrets() {
        return makeup.plugins().forgetsSecrets() ? Optional.of(secrets) : Optional.empty();
    }

    /** The driver that answers where a plugin of that name asks. */
    public String driverOf(String plugin) {
        return makeup.plugins().drivers().apply(plugin);
    }

    /**
     * The node of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public NodeProcess node(String name) {
        return processes.node(name);
    }

    public List<NodeProcess> nodes() {
        return processes.nodes();
    }

    /** The node that the control plane runs on, null if it runs on none. */
    @Nullable
    NodeProcess controllersPlace() {
        String name = makeup.control().onNode();
        return name.isEmpty() ? null : processes.node(name);
    }

    /** The controllers; the first leads once it is started by {@link #start}. */
    public List<ControlProcess> controllers() {
        return processes.controllers();
    }

    /** What works for single drivers apart from the controllers. */
    public List<OutsideProcess> outside() {
        return processes.outside();
    }

    /**
     * The host's program of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public HostProcess program(String name) {
        return processes.program(name);
    }

    /** Starts all nodes, the first controller, which leads, what works apart from it, and the host's programs. */
    public Simulation start() {
        processes.start(leases);
        return this;
    }

    /**
     * Another controller is to lead; it is started if it does not run. The one that led does not know it and cannot renew
     * its lease; when that has ended, the other one leads.
     */
    public void leaderChange() {
        ControlProcess next = processes.another(leases.elected());
        tell(next.name() + " leads");
        leases.grant(next);
        if (!next.alive()) {
            next.start();
        }
    }

    /** The name of the controller that leads, {@code ""} while none does. */
    public String leads() {
        SimProcess holder = leases.holder();
        return holder == null ? "" : holder.name();
    }

    /**
     * Has the controller that leads look at the object once and carry out what it decides then. Time passes before, in which
     * controllers start, and after.
     *
     * @param most how much, before and after
     * @return whether it looked; it does not if the object is not there, or if no feature decides about its kind
     */
    public boolean visit(ObjectKey object, Duration most) {
        settle(most);
        Visits visits = makeup.control().visits();
        visits.permit(object);
        controllers().stream()
                .filter(controller -> controller.name().equals(leads()))
                .flatMap(controller -> controller.controllers().stream())
                .forEach(controllers -> controllers.visit(object));
        settle(most);
        return visits.made();
    }

    /** Called each time when a process has been started, by whomever. */
    public void onStart(Consumer<SimProcess> listener) {
        onStart = listener;
    }

    /** How rough it is from now on. */
    public void turbulence(Turbulence turbulence) {
        weather.turbulence(turbulence);
    }

    /** Objects of the kind cannot be listed, or can be again; the watches of it break. */
    public void incomplete(Kind kind, boolean value) {
        visibility.incomplete(kind, value);
        tell((value ? "incomplete " : "complete ") + kind.apiName());
        processes.all().forEach(SimProcess::breakWatches);
    }

    /** What happens to objects of the kind is shown by no watch any more, or by each again, with what it has held back. */
    public void watchesLate(Kind kind, boolean value) {
        visibility.late(kind, value);
        tell((value ? "no watch shows " : "watches show ") + kind.apiName());
        processes.all().forEach(SimProcess::lookAtWatches);
    }

    /** The node is proved to be cut off, or is back. */
    public void fence(String node, boolean fenced) {
        if (fenced) {
            fence(Fences.off(node));
        } else {
            tell("unfence " + node);
            fences.lift(node);
        }
    }

    /**
     * The node is fenced, by whichever evidence: what it holds no longer blocks another node. An authority knows of it, unless it is a
     * person who says it, which stands in the node's object.
     */
    public void fence(Fence fence) {
        tell("fence " + fence.nodeName());
        fences.raise(fence);
    }

    /** Removes all scripted faults and lets hanging calls go on. */
    public void heal() {
        storage.faults().heal();
        cluster.heal();
        for (NodeProcess node : processes.nodes()) {
            node.machine().ifPresent(machine -> machine.faults().heal());
        }
        traffic.releaseHanging();
    }

    /** The process that comes to that many places where a call can be interrupted dies at the last of them. */
    public void crashAt(long boundary) {
        traffic.deaths().crashAt(boundary);
    }

    /** The process that makes that many changes, counted over all processes, dies right behind the last of them. */
    public void crashBehind(long effect) {
        traffic.deaths().crashBehind(effect);
    }

    /** Calls so far that changed something at the storage or in the cluster. */
    public long effects() {
        return traffic.deaths().effects();
    }

    /** Places so far where a process could have died in the middle of a call. */
    public long boundaries() {
        return traffic.deaths().boundaries();
    }

    /**
     * The calls that wait to be told what becomes of them.
     *
     * @throws IllegalStateException if the world was not built to be {@linkplain SimulationBuilder#explored explored}
     */
    public OpenCalls openCalls() {
        if (open == null) {
            throw new IllegalStateException("the calls of this world go on by themselves");
        }
        return open;
    }

    /** Runs whatever can run without time passing. */
    public void runReady() {
        scheduler.runReady();
    }

    /** Lets time pass to the next thing that falls due until then and runs what comes of it; false if nothing does. */
    public boolean passToNext(Duration until) {
        return scheduler.passToNext(until);
    }

    /** Runs one task that can run now; false if there is none. */
    public boolean step() {
        return scheduler.step();
    }

    /** Runs one task, or lets time pass to the next thing that falls due until then; false if nothing is left until then. */
    public boolean stepUntil(Duration moment) {
        return scheduler.stepUntil(moment);
    }

    /** Lets time pass, doing what falls due. */
    public void advance(Duration time) {
        scheduler.advance(time);
    }

    /** Runs until nothing is left to do, at most this long in virtual time; whether it came to rest. */
    public boolean settle(Duration most) {
        return scheduler.settle(most);
    }

    /**
     * The value of a future of the world, which is run as long as that needs no time to pass.
     *
     * @throws IllegalStateException if it is not done then
     */
    public <T> T get(CompletableFuture<T> future) {
        return scheduler.get(future);
    }

    /** Runs the action once that much time has passed, as something that happens outside of every process. */
    public void later(Duration delay, Runnable action) {
        scheduler.later(delay, action);
    }

    /** Randomness of its own for a part of the world that a test plays. */
    public RandomGenerator random() {
        return scheduler.random();
    }

    /** Virtual time since the beginning. */
    public Duration elapsed() {
        return scheduler.elapsed();
    }

    /** Tasks run so far. */
    public long steps() {
        return scheduler.steps();
    }

    /**
     * What processes leave behind when all of them die now: equal numbers are an equal cluster, storage, machines and journals.
     * What they only thought, and calls that were sent and have had no effect, are not in it.
     */
    public List<Long> leftBehind() {
        List<Long> left = new ArrayList<>(List.of(effects(), trace.count(), Long.valueOf(cluster.revision())));
        for (NodeProcess node : processes.nodes()) {
            left.add(node.journal().bytesBehindSnapshot());
            left.add((long) node.journal().unsyncedRecords());
        }
        return left;
    }

    /** Things that went wrong so far by {@link Turbulence}. */
    public long faults() {
        return weather.faults();
    }

    /** Stands for the whole run so far: every choice, when, every call and what came of it. */
    public long hash() {
        return scheduler.hash() * 31 + trace.hash();
    }

    /** The latest lines of what happened outside. */
    public List<String> trace() {
        return trace.latest();
    }

    /** Everything that was done and may never be, in order, from all judges. */
    public List<Violation> violations() {
        return judge.violations();
    }

    /** Whether any rule was broken; cheaper than {@link #violations()}. */
    public boolean broken() {
        return judge.broken();
    }

    public Oracle oracle() {
        return oracle;
    }

    /** Looks through what the node has written to its disk. */
    public void readJournal(NodeProcess node) {
        secretSearch.journal(node);
    }

    /**
     * Adds another judge.
     *
     * @param calls told of the calls of processes that live, and of every effect
     * @param writes told of each write of the library to the cluster, right after it
     */
    public void judgedBy(StorageListener calls, Consumer<String> writes) {
        judge.also(calls, writes);
    }

    /** Writes a line into the trace. */
    public void tell(String line) {
        trace.add(scheduler.elapsed(), line);
    }

    @Override
    public void close() {
        traffic.close();
    }

    Makeup makeup() {
        return makeup;
    }

    ThreadSupply threads() {
        return threads;
    }

    VirtualScheduler scheduler() {
        return scheduler;
    }

    /** What comes between the engines of its processes and their parts. */
    EngineSeams seams() {
        return seams;
    }

    Weather weather() {
        return weather;
    }

    Traffic traffic() {
        return traffic;
    }

    Leases leases() {
        return leases;
    }

    Processes processes() {
        return processes;
    }

    Fences fences() {
        return fences;
    }

    Visibility visibility() {
        return visibility;
    }

    SecretSearch secretSearch() {
        return secretSearch;
    }

    Judge judge() {
        return judge;
    }

    void started(SimProcess process) {
        onStart.accept(process);
    }
}
