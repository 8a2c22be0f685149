package io.volume4j.core.node.attach;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.grants.AttachLimitKey;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.attach.LimitView.Entry;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.plugin.NodeReporter;
import io.volume4j.spi.plugin.NodeReporter.NodeInfo;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the cluster what plugins say of this node: how a driver calls it, where it is and how many of its volumes it can have, in
 * the CSINode object of the node; and how many volumes of each plugin this node can have, in the node's {@code status.allocatable} where
 * schedulers and controllers of the field look for it. One field for each plugin, which no other program writes. Loop thread
 * only, but for the bodies of calls.
 */
public final class AttachLimits implements World<String, LimitView, LimitStep> {
    private static final String LANE = "cluster";
    private static final int CALLS = 4;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** As in Kubernetes, which refuses objects with shorter ones. */
    private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(10);

    /** Equal to nothing that a plugin says. */
    private static final NodeInfo UNSURE = new NodeInfo("", Map.of(), -1);

    private final ObjectKey node;
    private final ObjectCache objects;
    private final PluginRegistry plugins;
    private final ClusterWriter writer;
    private final Engine<String, LimitView, LimitStep> engine;
    private final EventLoop loop;
    private final NodeEntry entries;
    private final Map<String, NodeInfo> known = new LinkedHashMap<>();

    /** Of them those that are to be asked again; what they said stands until they answer. */
    private final Set<String> outdated = new LinkedHashSet<>();

    /** What this agent last wrote to the node's CSINode object. */
    private final Map<String, NodeInfo> entered = new LinkedHashMap<>();

    /** When each is asked again; a timer that is overtaken does nothing. */
    private final Map<String, Object> timers = new LinkedHashMap<>();

    /** How often the plugin was registered anew, so that the answer of an earlier one is not taken for the present one's. */
    private final Map<String, Integer> registrations = new LinkedHashMap<>();

    private final Set<String> written = new LinkedHashSet<>();

    public AttachLimits(
            NodePorts ports, ClusterWriter writer, Backoff backoff, ObjectCache objects, OperationExecutor executor) {
        this.node = ObjectKey.node(ports.nodeName());
        this.objects = objects;
        this.plugins = ports.plugins();
        this.writer = writer;
        this.loop = ports.loop();
        this.entries = new NodeEntry(ports.cluster(), writer, ports.nodeName());
        this.engine = new Engine<>(
                ports.loop(),
                this,
                new LimitPlanner(),
                IntentLog.inCluster(),
                executor,
                ports.random(),
                new Engine.Options("limits-" + ports.nodeName(), ports.incarnation(), backoff, 0),
                new Engine.Observer<>() {});
    }

    /** The node's object changed. */
    public void nodeChanged() {
        plugins.plugins().forEach(plugin -> engine.dirty(plugin.name()));
    }

    /** A plugin came, went or is another one now: what the earlier one said is over. */
    public void pluginChanged(String plugin) {
        known.remove(plugin);
        outdated.remove(plugin);
        timers.remove(plugin);
        registrations.merge(plugin, 1, Integer::sum);
        engine.forgetFailures(plugin);
        engine.dirty(plugin);
    }

    /** The driver's object came, went or changed: it says how often the plugin is to be asked. */
    public void driverChanged(String plugin) {
        if (known.containsKey(plugin)) {
            askLater(plugin);
        }
    }

    /** The node can have fewer volumes than the plugin said: it is asked at once. */
    public void askAgain(String plugin) {
        if (known.containsKey(plugin) && outdated.add(plugin)) {
            engine.dirty(plugin);
        }
    }

    private void askLater(String plugin) {
        timers.remove(plugin);
        Duration period = period(plugin);
        if (!period.isZero()) {
            Object timer = new Object();
            timers.put(plugin, timer);
            loop.schedule(period, () -> {
                if (timers.remove(plugin, timer)) {
                    // Another program may have changed the entry meanwhile.
                    entered.computeIfPresent(plugin, (name, info) -> UNSURE);
                    askAgain(plugin);
                }
            });
        }
    }

    /** Zero for never. */
    private Duration period(String plugin) {
        Optional<CsiDriver.Spec> told =
                objects.get(CsiDriver.key(plugin), CsiDriver.class).map(CsiDriver::spec);
        Long seconds = plugins.byName(plugin)
                .flatMap(found -> found.driverSettings(told))
                .map(CsiDriver.Spec::nodeAllocatableUpdatePeriodSeconds)
                .orElse(null);
        return seconds == null || seconds <= 0
                ? Duration.ZERO
                : Duration.ofSeconds(Math.max(seconds, SHORTEST_PERIOD.toSeconds()));
    }

    @Override
    public Iterator<String> keys() {
        return plugins.plugins().stream().map(VolumePlugin::name).iterator();
    }

    @Override
    public LimitView view(String plugin) {
        Node object = objects.get(node, Node.class).orElse(null);
        NodeInfo said = known.get(plugin);
        Quantity published =
                object == null ? null : object.status().allocatable().get(AttachLimitKey.of(plugin));
        return new LimitView(
                plugin,
                object != null,
                plugins.byName(plugin).filter(AttachLimits::reports).isPresent(),
                said == null || outdated.contains(plugin) ? null : Long.valueOf(said.maxVolumes()),
                published == null ? null : published.bytes(),
                written.contains(plugin),
                entry(plugin, said));
    }

    private static boolean reports(VolumePlugin plugin) {
        return plugin.limits().isPresent() || plugin.nodeReporter().isPresent();
    }

    private Entry entry(String plugin, @Nullable NodeInfo said) {
        if (plugins.byName(plugin).isEmpty()) {
            return entered.containsKey(plugin) ? Entry.TO_REMOVE : Entry.STANDS;
        }
        boolean stands = said == null || said.nodeId().isEmpty() || said.equals(entered.get(plugin));
        return stands ? Entry.STANDS : Entry.TO_WRITE;
    }

    @Override
    public Call call(String plugin, LimitStep step) {
        if (step.kind() == LimitStep.Kind.PUBLISH) {
            String uid =
                    objects.get(node).map(object -> object.metadata().uid()).orElse("");
            return new Call(LANE, CALLS, DEADLINE, context -> publish(step, uid));
        }
        if (step.kind() == LimitStep.Kind.REMOVE_ENTRY) {
            return new Call(LANE, CALLS, DEADLINE, context -> {
                entries.remove(plugin);
                return Optional.empty();
            });
        }
        NodeInfo said = known.get(plugin);
        if (step.kind() == LimitStep.Kind.WRITE_ENTRY && said != null) {
            return new Call(LANE, CALLS, DEADLINE, context -> {
                entries.publish(plugin, said);
                return said;
            });
        }
        int registration = registrations.getOrDefault(plugin, 0);
        int most = plugins.byName(plugin).map(VolumePlugin::maxConcurrentCalls).orElse(1);
        return new Call(plugin, Math.max(1, most), DEADLINE, context -> {
            VolumePlugin asked = plugins.byName(plugin)
                    .filter(AttachLimits::reports)
                    .orElseThrow(() -> VolumeException.transientFailure("plugin " + plugin + " says no limit now"));
            return new Answer(registration, ask(asked, context));
        });
    }

    private static NodeInfo ask(VolumePlugin plugin, CallContext context) {
        Optional<NodeReporter> node = plugin.nodeReporter();
        NodeInfo said = node.isPresent()
                ? node.get().node(context)
                : new NodeInfo("", Map.of(), plugin.limits().orElseThrow().maxVolumes(context));
        return new NodeInfo(said.nodeId(), said.segments(), Math.max(0, said.maxVolumes()));
    }

    /** What the plugin said that was there then. */
    private record Answer(int registration, NodeInfo said) {}

    private ApiObject publish(LimitStep step, String uid) {
        String[] path = {"status", "allocatable", AttachLimitKey.of(step.plugin())};
        FieldChange change =
                step.volumes() > 0 ? FieldChange.set(String.valueOf(step.volumes()), path) : FieldChange.remove(path);
        try {
            return writer.patch(node, new Patch(new Preconditions(uid, ""), true, List.of(change)));
        } catch (ClusterException failure) {
            throw VolumeException.transientFailure("cannot " + step.describe() + ": " + failure.getMessage())
                    .withCause(failure);
        }
    }

    @Override
    public void completed(String plugin, LimitStep step, Outcome outcome) {
        @Nullable Object value = outcome.succeeded() ? outcome.value() : null;
        if (value instanceof Answer answer) {
            if (answer.registration() == registrations.getOrDefault(plugin, 0)) {
                known.put(plugin, answer.said());
                outdated.remove(plugin);
                askLater(plugin);
            }
        } else if (value instanceof NodeInfo written) {
            entered.put(plugin, written);
        } else if (step.kind() == LimitStep.Kind.REMOVE_ENTRY && outcome.succeeded()) {
            entered.remove(plugin);
        } else if (value instanceof ApiObject stored) {
            if (step.volumes() > 0) {
                written.add(plugin);
            } else {
                written.remove(plugin);
            }
            objects.applyOwnWrite(stored);
        }
    }

    public void close() {
        engine.close();
    }
}
