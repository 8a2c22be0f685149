package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.ControllerAgent;
import io.volume4j.core.control.host.lead.Leadership;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.operations.Idleness;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.report.GuardedListeners;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.Reconciler.Quiescence;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The attach/detach controller with all its parts. While this process leads, it has a session with its own cache and worlds. Each
 * term begins with a new session. Any thread may call its methods, which return at once.
 */
public final class AttachAgent implements ControllerAgent {
    private final ControlPorts ports;
    private final FencingAuthority fencing;
    private final AttachOptions options;
    private final Consumer<ObjectTransition> listener;
    private final Seams<AttachKey, AttachView, AttachStep> seams;
    private final Seams<ObjectKey, RecordView, RecordStep> recordSeams;
    private final EventLoop loop;
    private final LeftoverProcesses tools;
    private final Leadership leadership;
    private final PluginListener pluginsChanged = plugin -> loopTask(this::pluginsChanged);
    private final Idleness idleness;
    /** Of all sessions: calls of one may return during the next one. */
    private final OperationMetrics operations;

    private final AttachReadings readings;
    private @Nullable AttachSession session;
    private int sessions;

    /** An agent that does nothing before {@link #start}, and has no fencing authority. */
    public AttachAgent(ControlPorts ports, AttachOptions options) {
        this(ports, FencingAuthority.none(), options, transition -> {});
    }

    /**
     * An agent with an authority that can prove that a node is cut off, and a listener for every step.
     *
     * @param listener called on the loop; must not block
     */
    public AttachAgent(
            ControlPorts ports, FencingAuthority fencing, AttachOptions options, Consumer<ObjectTransition> listener) {
        this(ports, fencing, options, listener, Seams.none(), Seams.none());
    }

    /** An agent with test seams between the engines and their parts. */
    public AttachAgent(
            ControlPorts ports,
            FencingAuthority fencing,
            AttachOptions options,
            Consumer<ObjectTransition> listener,
            Seams<AttachKey, AttachView, AttachStep> seams,
            Seams<ObjectKey, RecordView, RecordStep> recordSeams) {
        this.ports = ports;
        this.fencing = fencing;
        this.options = options;
        this.listener = GuardedListeners.listener(listener);
        this.seams = seams;
        this.recordSeams = recordSeams;
        this.loop = ports.loop();
        this.operations = new OperationMetrics(ports.metrics());
        this.idleness = new Idleness(loop, this::engines);
        this.readings = new AttachReadings(loop);
        this.leadership = new Leadership("attach", ports.leader(), loop, ports.process(), this::gained, this::lost);
        this.tools = LeftoverProcesses.of(ports.plugins().host(), "attach");
    }

    @Override
    public void start() {
        ports.plugins().addListener(pluginsChanged);
        loop.execute(leadership::watch);
    }

    private void gained() {
        lost();
        leadership.self().ifPresent(self -> {
            sessions++;
            LeaderTerm term = new LeaderTerm(ports.leader(), self.epoch(), ports.process() + "." + sessions);
            AttachSession begun = new AttachSession(
                    ports, fencing, options, term, tools, listener, operations, idleness, seams, recordSeams);
            session = begun;
            begun.start();
        });
    }

    private void lost() {
        if (session != null) {
            session.close();
            session = null;
            idleness.changed();
        }
    }

    /**
     * Accepts evidence that a node is cut off. The controller then detaches volumes that no pod wants there without the node's
     * report, until the node is ready again or its agent restarts. False if this process does not lead or does not know the node.
     */
    public CompletableFuture<Boolean> fence(Fence fence) {
        return ask(session -> session.fence(fence), false);
    }

    /** Why the volume is attached or not attached to its nodes. */
    public CompletableFuture<Explanation> explainVolume(VolumeId id) {
        return ask(session -> session.explainVolume(id), standingBy("volume " + id));
    }

    /** The same for the volume of a PersistentVolume. */
    public CompletableFuture<Explanation> explainVolume(String persistentVolume) {
        String subject = "volume " + persistentVolume;
        return ask(
                session -> session.idOf(persistentVolume)
                        .map(session::explainVolume)
                        .orElse(new Explanation(subject, false, List.of(), List.of())),
                standingBy(subject));
    }

    /** Why the node's volumes are attached or not attached. */
    public CompletableFuture<Explanation> explainNode(String name) {
        return ask(session -> session.explainNode(name), standingBy("node " + name));
    }

    @Override
    public Health health() {
        return session == null ? Health.standingBy() : session.health();
    }

    /** The steps that the controller would take now, by subject; empty while another process leads. */
    public CompletableFuture<Map<AttachKey, Plan<AttachStep>>> plan() {
        return ask(AttachSession::plan, Map.of());
    }

    /**
     * Reconciles a node with its volumes, a PersistentVolume on all nodes, or a VolumeAttachment.
     *
     * @throws IllegalArgumentException for another kind of object
     */
    @Override
    public CompletableFuture<Boolean> reconcile(ObjectKey object) {
        return switch (object.kind()) {
            case NODE -> ask(session -> session.retryNode(object.name()), false);
            case PERSISTENT_VOLUME ->
                ask(
                        session -> session.idOf(object.name())
                                .map(session::retryVolume)
                                .orElse(false),
                        false);
            case VOLUME_ATTACHMENT -> ask(session -> session.retryRecord(object.name()), false);
            default ->
                throw new IllegalArgumentException(
                        "looks at PersistentVolumes, Nodes and VolumeAttachments, not " + object);
        };
    }

    @Override
    public CompletableFuture<List<PendingOperation<ObjectKey>>> pending() {
        return ask(AttachSession::pending, List.of());
    }

    @Override
    public CompletableFuture<Boolean> whenIdle() {
        CompletableFuture<Boolean> idle = new CompletableFuture<>();
        loop.execute(() -> idleness.whenIdle(idle));
        return idle;
    }

    @Override
    public CompletableFuture<Quiescence> quiescence() {
        return ask(AttachSession::quiescence, new Quiescence(false, List.of("another process leads")));
    }

    /** The volumes that pods want attached, by node. */
    public CompletableFuture<AttachDesiredStateOfWorld.Reading> desired() {
        return CompletableFuture.supplyAsync(
                () -> session == null ? readings.desired(null, false) : session.desired(readings), loop);
    }

    /** The volumes that are attached or may be, with their nodes. */
    public CompletableFuture<AttachActualStateOfWorld.Reading> actual() {
        return CompletableFuture.supplyAsync(
                () -> session == null ? readings.actual(null, null, false) : session.actual(readings), loop);
    }

    public CompletableFuture<Boolean> wants(VolumeId volume, String node) {
        return ask(session -> session.wants(volume, node), false);
    }

    public CompletableFuture<AttachActualStateOfWorld.State> state(VolumeId volume, String node) {
        return ask(session -> session.state(volume, node), AttachActualStateOfWorld.State.UNCERTAIN);
    }

    private List<Engine<?, ?, ?>> engines() {
        return session == null ? List.of() : session.engines();
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
        List<String> left = session == null ? List.of() : session.end();
        session = null;
        return left;
    }

    /** Whether this process leads, has listed all objects, and has no dirty, running or postponed work. On the loop only. */
    public boolean quiet() {
        return session != null && session.quiet();
    }

    private static Explanation standingBy(String subject) {
        return new Explanation(subject, true, List.of(), List.of("another process leads"));
    }

    private void pluginsChanged() {
        if (session != null) {
            session.pluginsChanged();
        }
    }

    private <T> CompletableFuture<T> ask(Function<AttachSession, T> question, T standingBy) {
        return CompletableFuture.supplyAsync(() -> session == null ? standingBy : question.apply(session), loop);
    }

    private void loopTask(Runnable task) {
        loop.execute(task);
    }
}
