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
 * A simulated cluster in one thread and in virtual time. It has the store, a storage backend, and nodes and
 * controllers that run the production code. It simulates the failures between them. One seed decides every choice:
 * the same seed and the same calls give the same run, with the same {@link #hash()}.
 *
 * <p>{@link SimProcess#start()} starts a process. Time passes only in {@link #advance}, {@link #settle} and similar
 * methods. An {@link Oracle} checks every call and every state between two steps: {@link #violations()} must be
 * empty. Not thread-safe. Close a world with {@linkplain SimulationBuilder#steppedCalls stepped calls}.
 *
 * <p>This class is the interface for tests. Its parts do the work; each has one subject.
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
        if (!course.judged()) {
            scheduler.mostStepsPerSecond(Long.MAX_VALUE);
            scheduler.inOrder();
        }
        scheduler.onTime(clock::advance);
        scheduler.afterStep(judge::afterStep);
        processes = new Processes(makeup.cast(), this);
        fences = new Fences(processes, storage, oracle);
        judge.begin();
    }

    /** A builder for a world with one node, no controller, and the plugin {@code mem}. */
    public static SimulationBuilder builder(long seed) {
        return new SimulationBuilder(seed);
    }

    /**
     * The store of the cluster. A test writes to it with {@link InMemoryCluster#apply}, to which faults do not apply.
     */
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

    /** New instances of the process's plugins. */
    public List<VolumePlugin> pluginsOf(SimProcess process) {
        return makeup.plugins().made().apply(this, process);
    }

    /** Whether the plugins mount volumes with the SELinux labels of pods. */
    public boolean labels() {
        return makeup.plugins().labels();
    }

    /** How many volumes a node can have; {@link Integer#MAX_VALUE} for any number. */
    public int attachLimit() {
        return makeup.control().attachLimits().getOrDefault("mem", Integer.MAX_VALUE);
    }

    /**
     * The resolver from which plugins read secrets without their process; empty if they ask their process, as they
     * should.
     */
    public Optional<SecretResolver> unwatchedSecrets() {
        return makeup.plugins().forgetsSecrets() ? Optional.of(secrets) : Optional.empty();
    }

    /** The driver that answers the plugin with that name. */
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

    /** The control planes. After {@link #start} the first leads. */
    public List<ControlProcess> controllers() {
        return processes.controllers();
    }

    /** The processes for single drivers outside of the controllers. */
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

    /** Starts all nodes, the first controller, which leads, the {@link #outside} processes and the host's programs. */
    public Simulation start() {
        processes.start(leases);
        return this;
    }

    /**
     * Makes another controller the leader, and starts it if it does not run. The old leader does not know this and
     * cannot renew its lease. When that lease ends, the other one leads.
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
     * Lets the leading controller examine the object once and execute its decision. Time passes before, while
     * controllers start, and after.
     * @param most how much time passes at most, before and after
     * @return whether it examined the object; false if the object does not exist, or if no feature handles its kind
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

    /** Calls the listener after each start of a process. */
    public void onStart(Consumer<SimProcess> listener) {
        onStart = listener;
    }

    /** Sets the turbulence from now on. */
    public void turbulence(Turbulence turbulence) {
        weather.turbulence(turbulence);
    }

    /** Makes lists of the kind fail, or succeed again, and breaks its watches. */
    public void incomplete(Kind kind, boolean value) {
        visibility.incomplete(kind, value);
        tell((value ? "incomplete " : "complete ") + kind.apiName());
        processes.all().forEach(SimProcess::breakWatches);
    }

    /** Makes all watches hold the events of the kind, or deliver them again with the held events. */
    public void watchesLate(Kind kind, boolean value) {
        visibility.late(kind, value);
        tell((value ? "no watch shows " : "watches show ") + kind.apiName());
        processes.all().forEach(SimProcess::lookAtWatches);
    }

    /** Fences the node with an authority's proof, or ends that. */
    public void fence(String node, boolean fenced) {
        if (fenced) {
            fence(Fences.off(node));
        } else {
            tell("unfence " + node);
            fences.lift(node);
        }
    }

    /**
     * Fences the node with this evidence: its attachments no longer exclude other nodes. The authority then has the
     * evidence. The evidence of a person is in the node's object instead.
     */
    public void fence(Fence fence) {
        tell("fence " + fence.nodeName());
        fences.raise(fence);
    }

    /** Removes all scripted faults and releases hanging calls. */
    public void heal() {
        storage.faults().heal();
        healTheRest();
    }

    /** The same, except that the scripted faults of other drivers than this one stay. */
    public void heal(String plugin) {
        storage.faults().heal(plugin);
        healTheRest();
    }

    private void healTheRest() {
        cluster.heal();
        for (NodeProcess node : processes.nodes()) {
            node.machine().ifPresent(machine -> machine.faults().heal());
        }
        traffic.releaseHanging();
    }

    /**
     * Kills the process that reaches the boundary with this number, counted over all processes. A boundary is a place
     * where a call can be interrupted.
     */
    public void crashAt(long boundary) {
        traffic.deaths().crashAt(boundary);
    }

    /**
     * Kills the process that makes the change with this number, counted over all processes, directly after that
     * change.
     */
    public void crashBehind(long effect) {
        traffic.deaths().crashBehind(effect);
    }

    /** The number of calls so far that changed the storage or the cluster. */
    public long effects() {
        return traffic.deaths().effects();
    }

    /** The number of places so far where a process could have died during a call. */
    public long boundaries() {
        return traffic.deaths().boundaries();
    }

    /**
     * The calls whose fate the test decides.
     * @throws IllegalStateException if the world was not built to be {@linkplain SimulationBuilder#explored explored}
     */
    public OpenCalls openCalls() {
        if (open == null) {
            throw new IllegalStateException("the calls of this world go on by themselves");
        }
        return open;
    }

    /** Runs everything that can run without time passing. */
    public void runReady() {
        scheduler.runReady();
    }

    /**
     * Advances time to the next event, at most to {@code until}, and runs what follows. Returns false if there is no
     * event.
     */
    public boolean passToNext(Duration until) {
        return scheduler.passToNext(until);
    }

    /** Runs one task that can run now. Returns false if there is none. */
    public boolean step() {
        return scheduler.step();
    }

    /**
     * Runs one task, or advances time to the next event, at most to {@code moment}. Returns false if nothing is left
     * until then.
     */
    public boolean stepUntil(Duration moment) {
        return scheduler.stepUntil(moment);
    }

    /** Advances time and runs everything that becomes due. */
    public void advance(Duration time) {
        scheduler.advance(time);
    }

    /** Runs until nothing is left to do, at most this long in virtual time. Returns whether nothing is left. */
    public boolean settle(Duration most) {
        return scheduler.settle(most);
    }

    /**
     * The value of a future of the world. Runs the world without time passing.
     * @throws IllegalStateException if the future is not complete then
     */
    public <T> T get(CompletableFuture<T> future) {
        return scheduler.get(future);
    }

    /** Runs the action after this time, outside of every process. */
    public void later(Duration delay, Runnable action) {
        scheduler.later(delay, action);
    }

    /** A random generator for a part of the world that the test simulates. */
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
     * Numbers for the state that remains if all processes die now. Equal numbers mean equal cluster, storage,
     * machines and journals. State in memory, and sent calls without effect so far, do not count.
     */
    public List<Long> leftBehind() {
        List<Long> left = new ArrayList<>(List.of(effects(), trace.count(), Long.valueOf(cluster.revision())));
        for (NodeProcess node : processes.nodes()) {
            left.add(node.journal().bytesBehindSnapshot());
            left.add((long) node.journal().unsyncedRecords());
        }
        return left;
    }

    /** The number of faults so far that {@link Turbulence} caused. */
    public long faults() {
        return weather.faults();
    }

    /** A hash of the whole run so far: every choice with its time, and every call with its result. */
    public long hash() {
        return scheduler.hash() * 31 + trace.hash();
    }

    /** The latest lines of the trace. */
    public List<String> trace() {
        return trace.latest();
    }

    /** All violations, in order, from all judges. */
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

    /** Searches the node's journal on disk for secrets. */
    public void readJournal(NodeProcess node) {
        secretSearch.journal(node);
    }

    /**
     * Adds another judge.
     * @param calls gets the calls of live processes, and every effect
     * @param writes gets each write of the library to the cluster, directly after it
     */
    public void judgedBy(StorageListener calls, Consumer<String> writes) {
        judge.also(calls, writes);
    }

    /** Adds a line to the trace. */
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
