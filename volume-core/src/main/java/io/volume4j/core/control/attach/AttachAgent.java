package io.volume4j.core.control.attach;

import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.LeaseWatch;
import io.volume4j.core.control.host.LeftoverProcesses;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.report.HostEars;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attaching and detaching from the control plane, put together. While this process leads there is a session with a cache
 * and worlds of its own; a new term begins with a new one. Its methods may be called from anywhere and return at once.
 */
public final class AttachAgent {
    private final ControlPorts ports;
    private final FencingAuthority fencing;
    private final AttachOptions options;
    private final Consumer<ObjectTransition> listener;
    private final Seams<AttachKey, AttachView, AttachStep> seams;
    private final Seams<ObjectKey, RecordView, RecordStep> recordSeams;
    private final EventLoop loop;
    private final LeftoverProcesses tools;
    private final LeaseWatch lease;
    private final PluginListener pluginsChanged = plugin -> loopTask(this::pluginsChanged);
    private @Nullable AttachSession session;
    private long sessionEpoch;
    private int sessions;

    /** An agent that does nothing before {@link #start}, and that nobody gives evidence of fenced nodes. */
    public AttachAgent(ControlPorts ports, AttachOptions options) {
        this(ports, FencingAuthority.none(), options, transition -> {});
    }

    /**
     * The same with somebody who can prove that a node is cut off, and somebody who hears of every step.
     *
     * @param listener called on the loop; must not block
     */
    public AttachAgent(
            ControlPorts ports, FencingAuthority fencing, AttachOptions options, Consumer<ObjectTransition> listener) {
        this(ports, fencing, options, listener, Seams.none(), Seams.none());
    }

    /** The same with something between the engines and their parts. */
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
        this.listener = HostEars.listener(listener);
        this.seams = seams;
        this.recordSeams = recordSeams;
        this.loop = ports.loop();
        this.lease = new LeaseWatch(ports.leader(), loop, this::look);
        this.tools = LeftoverProcesses.of(ports.plugins().host(), "attach");
    }

    /** Begins to list, watch and reconcile, whenever this process leads. */
    public void start() {
        ports.plugins().addListener(pluginsChanged);
        loop.execute(lease::start);
    }

    private void look() {
        boolean leads = ports.leader().remaining().compareTo(Duration.ZERO) > 0;
        if (session != null && (!leads || sessionEpoch != ports.leader().epoch())) {
            session.close();
            session = null;
        }
        if (leads && session == null) {
            sessionEpoch = ports.leader().epoch();
            sessions++;
            Term term = new Term(ports.leader(), sessionEpoch, ports.process() + "." + sessions);
            session = new AttachSession(ports, fencing, options, term, tools, listener, seams, recordSeams);
            session.start();
        }
    }

    /**
     * Gives evidence that a node is cut off: volumes that nobody wants there are taken away without its word, until it is
     * ready again. False if this process does not lead or does not know the node.
     */
    public CompletableFuture<Boolean> fence(Fence fence) {
        return ask(session -> session.fence(fence), false);
    }

    /** Why the volume is attached as it is. */
    public CompletableFuture<Explanation> explainVolume(VolumeId id) {
        return ask(session -> session.explainVolume(id), standingBy("volume " + id));
    }

    /** Why the PersistentVolume is attached as it is. */
    public CompletableFuture<Explanation> explainVolume(String persistentVolume) {
        String subject = "volume " + persistentVolume;
        return ask(
                session -> session.idOf(persistentVolume)
                        .map(session::explainVolume)
                        .orElse(new Explanation(subject, false, List.of(), List.of())),
                standingBy(subject));
    }

    /** Why the node's volumes are as they are. */
    public CompletableFuture<Explanation> explainNode(String name) {
        return ask(session -> session.explainNode(name), standingBy("node " + name));
    }

    /** What would be done now about every volume on every node that is not as it should be; nothing where another leads. */
    public CompletableFuture<Map<AttachKey, Plan<AttachStep>>> plan() {
        return ask(AttachSession::plan, Map.of());
    }

    /** Ends reconciling and cancels what is under way; completes with the calls whose threads have not come back. */
    public CompletableFuture<List<String>> close() {
        return CompletableFuture.supplyAsync(this::end, loop);
    }

    /** The same at once; on the loop. */
    public List<String> end() {
        ports.plugins().removeListener(pluginsChanged);
        lease.close();
        List<String> left = session == null ? List.of() : session.close();
        session = null;
        return left;
    }

    /** Whether this process leads, has listed everything, and nothing is dirty, under way or put off; on the loop. */
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
