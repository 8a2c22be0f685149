package io.volume4j.core.node.attach;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.grants.AttachLimitKey;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.plugin.LimitsReporter;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the cluster how many volumes of each plugin this node can have, in the node's {@code status.allocatable} where
 * schedulers and controllers of the field look for it. One field for each plugin, which no other program writes. Loop thread
 * only, but for the bodies of calls.
 */
public final class AttachLimits implements World<String, LimitView, LimitStep> {
    private static final String LANE = "cluster";
    private static final int CALLS = 4;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final ObjectKey node;
    private final ObjectCache objects;
    private final PluginRegistry plugins;
    private final ClusterWriter writer;
    private final Engine<String, LimitView, LimitStep> engine;
    private final Map<String, Long> known = new LinkedHashMap<>();

    /** How often the plugin was registered anew, so that the answer of an earlier one is not taken for the present one's. */
    private final Map<String, Integer> registrations = new LinkedHashMap<>();

    private final Set<String> written = new LinkedHashSet<>();

    public AttachLimits(
            NodePorts ports, ClusterWriter writer, Backoff backoff, ObjectCache objects, OperationExecutor executor) {
        this.node = ObjectKey.node(ports.nodeName());
        this.objects = objects;
        this.plugins = ports.plugins();
        this.writer = writer;
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
        registrations.merge(plugin, 1, Integer::sum);
        engine.forgetFailures(plugin);
        engine.dirty(plugin);
    }

    @Override
    public Iterator<String> keys() {
        return plugins.plugins().stream().map(VolumePlugin::name).iterator();
    }

    @Override
    public LimitView view(String plugin) {
        Node object = objects.get(node, Node.class).orElse(null);
        Quantity published =
                object == null ? null : object.status().allocatable().get(AttachLimitKey.of(plugin));
        return new LimitView(
                plugin,
                object != null,
                plugins.byName(plugin).flatMap(VolumePlugin::limits).isPresent(),
                known.get(plugin),
                published == null ? null : published.bytes(),
                written.contains(plugin));
    }

    @Override
    public Call call(String plugin, LimitStep step) {
        if (step.kind() == LimitStep.Kind.PUBLISH) {
            String uid =
                    objects.get(node).map(object -> object.metadata().uid()).orElse("");
            return new Call(LANE, CALLS, DEADLINE, context -> publish(step, uid));
        }
        int registration = registrations.getOrDefault(plugin, 0);
        int most = plugins.byName(plugin).map(VolumePlugin::maxConcurrentCalls).orElse(1);
        return new Call(plugin, Math.max(1, most), DEADLINE, context -> {
            LimitsReporter limits = plugins.byName(plugin)
                    .flatMap(VolumePlugin::limits)
                    .orElseThrow(() -> VolumeException.transientFailure("plugin " + plugin + " says no limit now"));
            return new Answer(registration, Math.max(0, limits.maxVolumes(context)));
        });
    }

    /** What the plugin said that was there then. */
    private record Answer(int registration, long volumes) {}

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
                known.put(plugin, answer.volumes());
            }
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
