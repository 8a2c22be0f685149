package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.control.attach.call.CallLanes;
import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.call.RecordCalls;
import io.volume4j.core.control.attach.plan.RecordPlanner;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.ControllerAgent;
import io.volume4j.core.control.host.lead.Leadership;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.operations.Idleness;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.operations.PendingOperations;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.report.GuardedListeners;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.Reconciler.Quiescence;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The external attacher with all its parts. It carries out the VolumeAttachments of one driver while this process leads. Any thread
 * may call its methods, which return at once.
 */
public final class ExternalAttacherAgent implements ControllerAgent {
    private final String driver;
    private final ControlPorts ports;
    private final AttachOptions options;
    private final Consumer<ObjectTransition> listener;
    private final Seams<ObjectKey, RecordView, RecordStep> seams;
    private final EventLoop loop;
    private final LeftoverProcesses tools;
    private final Leadership leadership;
    private final PluginListener pluginsChanged = plugin -> loopTask(this::tryAgain);
    private final Idleness idleness;
    /** Of all sessions: calls of one may return during the next one. */
    private final OperationMetrics operations;

    private @Nullable Session session;
    private int sessions;

    /** The parts that exist while this process leads. */
    private record Session(
            ObjectCache cache, ExternalRecords world, Engine<ObjectKey, RecordView, RecordStep> engine) {}

    /**
     * An attacher that does nothing before {@link #start}.
     *
     * @param driver the driver of the VolumeAttachments; a plugin with this name carries them out
     * @param listener called on the loop for each step that begins or ends; must not block
     */
    public ExternalAttacherAgent(
            String driver, ControlPorts ports, AttachOptions options, Consumer<ObjectTransition> listener) {
        this(driver, ports, options, listener, Seams.none());
    }

    /** An attacher with seams for a simulator. */
    public ExternalAttacherAgent(
            String driver,
            ControlPorts ports,
            AttachOptions options,
            Consumer<ObjectTransition> listener,
            Seams<ObjectKey, RecordView, RecordStep> seams) {
        this.driver = driver;
        this.ports = ports;
        this.options = options;
        this.listener = GuardedListeners.listener(listener);
        this.seams = seams;
        this.loop = ports.loop();
        this.operations = new OperationMetrics(ports.metrics());
        this.idleness = new Idleness(loop, () -> session == null ? List.of() : List.of(session.engine()));
        this.leadership = new Leadership("attacher", ports.leader(), loop, ports.process(), this::gained, this::lost);
        this.tools = LeftoverProcesses.of(ports.plugins().host(), "attacher " + driver);
    }

    @Override
    public void start() {
        ports.plugins().addListener(pluginsChanged);
        loop.execute(leadership::watch);
    }

    private void gained() {
        lost();
        leadership.self().ifPresent(self -> session = begin(self.epoch()));
    }

    private void lost() {
        if (session != null) {
            session.cache().close();
            session.engine().close();
            session = null;
            idleness.changed();
        }
    }

    private Session begin(long epoch) {
        sessions++;
        LeaderTerm term = new LeaderTerm(ports.leader(), epoch, ports.process() + "." + sessions);
        Map<Kind, Selection> kinds = new EnumMap<>(Kind.class);
        kinds.put(Kind.PERSISTENT_VOLUME, Selection.all());
        kinds.put(Kind.VOLUME_ATTACHMENT, Selection.all());
        ObjectCache cache = ports.cache(kinds, options.backoff());
        AttachCalls calls =
                new AttachCalls(ports.source(), ports.writer(), seen -> loop.execute(() -> seen.into(cache)));
        RecordCalls.Stamp stamp = RecordCalls.Stamp.attacher();
        CallLanes lanes = new CallLanes(
                term, ports.plugins(), options.clusterCalls(), options.clusterDeadline(), options.driverDeadline());
        ExternalRecords world = new ExternalRecords(
                driver,
                cache,
                new RecordCalls(calls, ports.plugins(), term, stamp, tools),
                lanes,
                stamp,
                ports.plugins(),
                loop,
                term,
                options.takesOver(),
                this::dirty);
        Engine<ObjectKey, RecordView, RecordStep> engine = new Engine<>(
                loop,
                seams.world().apply(world),
                seams.planner().apply(new RecordPlanner()),
                seams.intents().apply(IntentLog.inCluster()),
                ports.executor(options.limits()),
                ports.random(),
                new Engine.Options(
                        tools.prefix() + "attacher-" + term.generation(),
                        ports.process(),
                        options.backoff(),
                        options.resyncPerSecond()),
                idleness.beside(AttachObservers.ofRecords("attacher", loop, listener, operations)));
        cache.listener(world);
        Session begun = new Session(cache, world, engine);
        cache.start();
        engine.start();
        return begun;
    }

    private void dirty(ObjectKey key) {
        if (session != null) {
            session.engine().dirty(key);
        }
    }

    private void tryAgain() {
        if (session != null) {
            session.engine().forgetAllFailures();
            session.world().keys().forEachRemaining(this::dirty);
        }
    }

    @Override
    public Health health() {
        if (session == null) {
            return Health.standingBy();
        }
        ObjectCache cache = session.cache();
        return cache.complete() ? Health.working() : Health.notReady(true, List.of(cache.whyIncomplete()));
    }

    /** Why the VolumeAttachment with that name is in its current state. */
    public CompletableFuture<Explanation> explain(String attachment) {
        String subject = "VolumeAttachment " + attachment;
        return ask(
                session -> session.engine().explain(ObjectKey.attachment(attachment), subject),
                new Explanation(subject, true, List.of(), List.of("another process leads")));
    }

    /** The steps that the attacher would take now, by object of the driver; empty while another process leads. */
    public CompletableFuture<Map<ObjectKey, Plan<RecordStep>>> plan() {
        return ask(ExternalAttacherAgent::plans, Map.of());
    }

    /**
     * Reconciles a VolumeAttachment, or a PersistentVolume that is being deleted. Completes with whether it is one of the driver's.
     */
    @Override
    public CompletableFuture<Boolean> reconcile(ObjectKey object) {
        return ask(
                session -> {
                    if (!keys(session).contains(object)) {
                        return false;
                    }
                    session.engine().forgetFailures(object);
                    session.engine().dirty(object);
                    return true;
                },
                false);
    }

    @Override
    public CompletableFuture<List<PendingOperation<ObjectKey>>> pending() {
        return ask(this::pending, List.of());
    }

    @Override
    public CompletableFuture<Boolean> whenIdle() {
        CompletableFuture<Boolean> idle = new CompletableFuture<>();
        loop.execute(() -> idleness.whenIdle(idle));
        return idle;
    }

    @Override
    public CompletableFuture<Quiescence> quiescence() {
        return ask(this::quiescence, new Quiescence(false, List.of("another process leads")));
    }

    private <T> CompletableFuture<T> ask(Function<Session, T> question, T standingBy) {
        return CompletableFuture.supplyAsync(() -> session == null ? standingBy : question.apply(session), loop);
    }

    private List<PendingOperation<ObjectKey>> pending(Session of) {
        return new PendingOperations(loop).of(of.engine(), (key, step) -> key, step -> "");
    }

    private Quiescence quiescence(Session of) {
        if (!of.cache().complete()) {
            return new Quiescence(false, List.of(of.cache().whyIncomplete()));
        }
        if (of.engine().quiet()) {
            return new Quiescence(true, List.of());
        }
        List<String> reasons = new ArrayList<>();
        pending(of)
                .forEach(operation -> reasons.add(operation.step() + " of " + operation.key() + " is "
                        + operation.state() + ", attempt " + operation.attempt()));
        plans(of).forEach((key, plan) -> plan.steps().forEach(step -> reasons.add(key + ": " + step.describe())));
        return new Quiescence(false, reasons.isEmpty() ? List.of("an attachment is about to be looked at") : reasons);
    }

    private static Map<ObjectKey, Plan<RecordStep>> plans(Session of) {
        Map<ObjectKey, Plan<RecordStep>> plans = new LinkedHashMap<>();
        keys(of).forEach(key -> {
            Plan<RecordStep> plan = of.engine().plan(key);
            if (!plan.steps().isEmpty()) {
                plans.put(key, plan);
            }
        });
        return plans;
    }

    private static Set<ObjectKey> keys(Session of) {
        Set<ObjectKey> keys = new LinkedHashSet<>();
        of.world().keys().forEachRemaining(keys::add);
        return keys;
    }

    /** Ends reconciling and cancels running calls. Completes with the calls whose threads have not returned. */
    public CompletableFuture<List<String>> close() {
        return CompletableFuture.supplyAsync(this::end, loop);
    }

    @Override
    public List<String> end() {
        ports.plugins().removeListener(pluginsChanged);
        leadership.close();
        operations.close();
        if (session == null) {
            return List.of();
        }
        Runnable closesWatches = session.cache().end();
        List<String> left = session.engine().close();
        session = null;
        closesWatches.run();
        return left;
    }

    private void loopTask(Runnable task) {
        loop.execute(task);
    }
}
