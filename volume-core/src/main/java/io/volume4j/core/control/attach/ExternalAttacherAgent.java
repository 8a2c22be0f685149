package io.volume4j.core.control.attach;

import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.LeaseWatch;
import io.volume4j.core.control.host.LeftoverProcesses;
import io.volume4j.core.engine.Discretion;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.report.HostEars;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An attacher that runs apart from the controller, put together: carries out the VolumeAttachments of one driver while this
 * process leads. Its methods may be called from anywhere and return at once.
 */
public final class ExternalAttacherAgent {
    private final String driver;
    private final ControlPorts ports;
    private final AttachOptions options;
    private final Consumer<ObjectTransition> listener;
    private final Seams<ObjectKey, RecordView, RecordStep> seams;
    private final EventLoop loop;
    private final LeftoverProcesses tools;
    private final LeaseWatch lease;
    private final PluginListener pluginsChanged = plugin -> loopTask(this::tryAgain);
    private @Nullable Session session;
    private int sessions;

    /** What exists while this process leads. */
    private record Session(
            long epoch, ObjectCache cache, ExternalRecords world, Engine<ObjectKey, RecordView, RecordStep> engine) {}

    /**
     * An attacher that does nothing before {@link #start}.
     *
     * @param driver whose VolumeAttachments it carries out; a plugin of that name does it
     * @param listener hears of every step on the loop; must not block
     */
    public ExternalAttacherAgent(
            String driver, ControlPorts ports, AttachOptions options, Consumer<ObjectTransition> listener) {
        this(driver, ports, options, listener, Seams.none());
    }

    /** The same, with seams where a simulator steps in. */
    public ExternalAttacherAgent(
            String driver,
            ControlPorts ports,
            AttachOptions options,
            Consumer<ObjectTransition> listener,
            Seams<ObjectKey, RecordView, RecordStep> seams) {
        this.driver = driver;
        this.ports = ports;
        this.options = options;
        this.listener = HostEars.listener(listener);
        this.seams = seams;
        this.loop = ports.loop();
        this.lease = new LeaseWatch(ports.leader(), loop, this::look);
        this.tools = LeftoverProcesses.of(ports.plugins().host(), "attacher " + driver);
    }

    /** Begins to list, watch and reconcile, whenever this process leads. */
    public void start() {
        ports.plugins().addListener(pluginsChanged);
        loop.execute(lease::start);
    }

    private void look() {
        boolean leads = ports.leader().remaining().compareTo(Duration.ZERO) > 0;
        if (session != null && (!leads || session.epoch() != ports.leader().epoch())) {
            session.cache().close();
            session.engine().close();
            session = null;
        }
        if (leads && session == null) {
            session = begin(ports.leader().epoch());
        }
    }

    private Session begin(long epoch) {
        sessions++;
        Term term = new Term(ports.leader(), epoch, ports.process() + "." + sessions);
        Map<Kind, Selection> kinds = new EnumMap<>(Kind.class);
        kinds.put(Kind.PERSISTENT_VOLUME, Selection.all());
        kinds.put(Kind.VOLUME_ATTACHMENT, Selection.all());
        ObjectCache cache = new ObjectCache(
                ports.source(),
                kinds,
                new CachePorts(
                        loop,
                        ports.workers(),
                        loop::schedule,
                        failures -> options.backoff().delay(failures, FailureKind.TRANSIENT, ports.random())));
        AttachCalls calls =
                new AttachCalls(ports.source(), ports.writer(), seen -> loop.execute(() -> take(cache, seen)));
        RecordCalls.Stamp stamp = new RecordCalls.Stamp(finalizer(driver), GrantKeys.ATTACHER_GENERATION, false);
        ExternalRecords world = new ExternalRecords(
                driver,
                cache,
                new RecordCalls(calls, ports.plugins(), term, stamp, tools),
                stamp,
                ports.plugins(),
                loop,
                term,
                options,
                this::dirty);
        Engine<ObjectKey, RecordView, RecordStep> engine = new Engine<>(
                loop,
                seams.world().apply(world),
                seams.planner().apply(new RecordPlanner()),
                seams.intents().apply(IntentLog.inCluster()),
                new OperationExecutor(
                        loop,
                        ports.workers(),
                        options.limits(),
                        new Discretion(ports.plugins()::confidentially, ports.plugins()::withoutSecrets)),
                ports.random(),
                new Engine.Options(
                        tools.prefix() + "attacher-" + term.generation(),
                        ports.process(),
                        options.backoff(),
                        options.resyncPerSecond()),
                new AttachObservers.OfRecords(listener, new OperationMetrics(ports.metrics())));
        cache.listener(world);
        Session begun = new Session(epoch, cache, world, engine);
        cache.start();
        engine.start();
        return begun;
    }

    /** The finalizer that the driver's attacher keeps objects by. */
    static String finalizer(String driver) {
        return "external-attacher/" + driver.replace('/', '-');
    }

    private void take(ObjectCache cache, AttachCalls.Seen seen) {
        if (seen.object() != null) {
            cache.applyOwnWrite(seen.object());
        } else {
            cache.seenAbsent(seen.key(), seen.uid());
        }
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

    /** Why the VolumeAttachment of that name is as it is. */
    public CompletableFuture<Explanation> explain(String attachment) {
        String subject = "VolumeAttachment " + attachment;
        return CompletableFuture.supplyAsync(
                () -> session == null
                        ? new Explanation(subject, true, List.of(), List.of("another process leads"))
                        : session.engine().explain(ObjectKey.attachment(attachment), subject),
                loop);
    }

    /** Ends reconciling and cancels what is under way; completes with the calls whose threads have not come back. */
    public CompletableFuture<List<String>> close() {
        return CompletableFuture.supplyAsync(this::end, loop);
    }

    /** The same at once; on the loop. */
    public List<String> end() {
        ports.plugins().removeListener(pluginsChanged);
        lease.close();
        if (session == null) {
            return List.of();
        }
        session.cache().close();
        List<String> left = session.engine().close();
        session = null;
        return left;
    }

    private void loopTask(Runnable task) {
        loop.execute(task);
    }
}
