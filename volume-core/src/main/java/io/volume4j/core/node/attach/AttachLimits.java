package io.volume4j.core.node.attach;

import io.volume4j.core.csinode.CsiNodeEntry;
import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.grants.AttachLimitKey;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.attach.LimitView.Action;
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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what plugins report about this node. The CSINode object of the node gets each driver's name for the node,
 * its topology and how many of its volumes the node can have. The node's {@code status.allocatable} gets the limit of
 * each plugin, where schedulers and other controllers read it. Each plugin has its own field, which no other program
 * writes. Loop thread only, except for the bodies of calls.
 */
public final class AttachLimits {
    private static final Logger LOG = LoggerFactory.getLogger(AttachLimits.class);

    private static final String LANE = "cluster";
    private static final int CALLS = 4;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** As in Kubernetes, which refuses objects with shorter ones. */
    private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(10);

    /** Not equal to any report of a plugin. */
    private static final NodeInfo UNSURE = new NodeInfo("", Map.of(), -1);

    /** What this agent knows about the plugin with one name. */
    private static final class Word {
        /** The plugin's report since its registration, null if the node has not queried it. */
        private @Nullable NodeInfo said;
        /** Whether the node must query again. The last report stays valid until the new one. */
        private boolean outdated;
        /** What this agent last wrote to the node's CSINode object, null for no entry of its own. */
        private @Nullable NodeInfo entered;
        /** Whether this agent wrote the limit in the node's object. */
        private boolean published;
        /** The number of registrations so far. A report of an earlier plugin does not count for the present one. */
        private int registration;
        /** The timer of the next query. An earlier timer does nothing. */
        private @Nullable Object timer;
        /** Whether a call is under way. */
        private boolean busy;
        /** The action that failed last, and how often in a row; {@code NOTHING} after a success. */
        private Action failed = Action.NOTHING;

        private int failures;
        /** Whether the failed action waits for its next try. */
        private boolean waits;

        boolean mayTry(Action action) {
            return !busy && action != Action.NOTHING && !(waits && action == failed);
        }

        void succeeded() {
            failed = Action.NOTHING;
            failures = 0;
            waits = false;
        }
    }

    private final ObjectKey node;
    private final ObjectCache objects;
    private final PluginRegistry plugins;
    private final ClusterWriter writer;
    private final EventLoop loop;
    private final Backoff backoff;
    private final RandomGenerator random;
    private final Questions<String> calls;
    private final CsiNodeEntry entries;
    private final Map<String, Word> words = new LinkedHashMap<>();
    private final Set<String> changed = new LinkedHashSet<>();

    /** UID of the node's object that the agent saw last, {@code ""} for none. */
    private String nodeUid = "";

    private boolean closed;

    public AttachLimits(
            NodePorts ports, ClusterWriter writer, Backoff backoff, ObjectCache objects, Questions<String> calls) {
        this.node = ObjectKey.node(ports.nodeName());
        this.objects = objects;
        this.plugins = ports.plugins();
        this.writer = writer;
        this.loop = ports.loop();
        this.backoff = backoff;
        this.random = ports.random();
        this.calls = calls;
        this.entries = new CsiNodeEntry(ports.cluster(), writer, ports.nodeName(), plugins.migration());
    }

    /** The node's object changed. */
    public void nodeChanged() {
        String uid = uid();
        if (!uid.isEmpty() && !uid.equals(nodeUid)) {
            if (!nodeUid.isEmpty()) {
                replaced();
            }
            nodeUid = uid;
        }
        plugins.plugins().forEach(plugin -> look(plugin.name()));
    }

    /** The node has another object. The cluster deletes the CSINode object of the one before, and its labels are gone. */
    private void replaced() {
        for (Word word : words.values()) {
            if (word.entered != null) {
                word.entered = UNSURE;
            }
        }
    }

    private String uid() {
        return objects.get(node).map(object -> object.metadata().uid()).orElse("");
    }

    /** The plugin was registered, removed or replaced: earlier reports no longer count. */
    public void pluginChanged(String plugin) {
        Word word = word(plugin);
        word.said = null;
        word.outdated = false;
        word.timer = null;
        word.registration++;
        word.succeeded();
        look(plugin);
    }

    /** The CSIDriver object was created, changed or deleted. It contains the interval of the queries. */
    public void driverChanged(String plugin) {
        if (word(plugin).said != null) {
            askLater(plugin);
        }
    }

    /** The node can have fewer volumes than the plugin reported: the node queries it at once. */
    public void askAgain(String plugin) {
        Word word = word(plugin);
        if (word.said != null && !word.outdated) {
            word.outdated = true;
            look(plugin);
        }
    }

    public void close() {
        closed = true;
        changed.clear();
    }

    private Word word(String plugin) {
        return words.computeIfAbsent(plugin, name -> new Word());
    }

    private void askLater(String plugin) {
        Word word = word(plugin);
        word.timer = null;
        Duration period = period(plugin);
        if (!period.isZero()) {
            Object timer = new Object();
            word.timer = timer;
            loop.schedule(period, () -> {
                if (word.timer == timer) {
                    word.timer = null;
                    // Another program may have changed the entry meanwhile.
                    if (word.entered != null) {
                        word.entered = UNSURE;
                    }
                    askAgain(plugin);
                }
            });
        }
    }

    /** The interval between queries, zero for none. */
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

    /** Considers the plugin once, after all changes of one turn of the loop. */
    private void look(String plugin) {
        if (!closed && changed.add(plugin) && changed.size() == 1) {
            loop.execute(() -> {
                List<String> all = List.copyOf(changed);
                changed.clear();
                all.forEach(this::act);
            });
        }
    }

    private void act(String plugin) {
        Word word = word(plugin);
        LimitView view = view(plugin, word);
        Action action = view.next();
        if (closed || !word.mayTry(action)) {
            return;
        }
        word.busy = true;
        calls.ask(plugin, "", () -> call(plugin, word, action), outcome -> ended(plugin, word, action, outcome));
    }

    private LimitView view(String plugin, Word word) {
        Node object = objects.get(node, Node.class).orElse(null);
        NodeInfo said = word.said;
        Quantity published =
                object == null ? null : object.status().allocatable().get(AttachLimitKey.of(plugin));
        return new LimitView(
                object != null,
                plugins.byName(plugin).filter(AttachLimits::reports).isPresent(),
                said == null || word.outdated ? null : Long.valueOf(said.maxVolumes()),
                published == null ? null : published.bytes(),
                word.published,
                entry(plugin, word));
    }

    private static boolean reports(VolumePlugin plugin) {
        return plugin.limits().isPresent() || plugin.nodeReporter().isPresent();
    }

    private Entry entry(String plugin, Word word) {
        if (plugins.byName(plugin).isEmpty()) {
            return word.entered != null ? Entry.TO_REMOVE : Entry.STANDS;
        }
        NodeInfo said = word.said;
        boolean stands = said == null || said.nodeId().isEmpty() || said.equals(word.entered);
        return stands ? Entry.STANDS : Entry.TO_WRITE;
    }

    /** The call for the action. Its result is a task that stores the success here. */
    private Call call(String plugin, Word word, Action action) {
        NodeInfo said = word.said;
        if (action == Action.REMOVE_ENTRY) {
            return write(() -> {
                entries.remove(plugin);
                return () -> word.entered = null;
            });
        }
        if (action == Action.ASK || said == null) {
            int registration = word.registration;
            int most =
                    plugins.byName(plugin).map(VolumePlugin::maxConcurrentCalls).orElse(1);
            return new Call(plugin, Math.max(1, most), DEADLINE, context -> {
                NodeInfo answer = ask(plugin, context);
                return (Runnable) () -> answered(plugin, word, registration, answer);
            });
        }
        if (action == Action.PUBLISH) {
            String uid = uid();
            return write(() -> {
                ApiObject stored = publish(plugin, said.maxVolumes(), uid);
                return () -> {
                    word.published = said.maxVolumes() > 0;
                    objects.applyOwnWrite(stored);
                };
            });
        }
        String uid = uid();
        return write(() -> {
            entries.publish(plugin, said);
            return () -> word.entered = uid.equals(uid()) ? said : UNSURE;
        });
    }

    private static Call write(Supplier<Runnable> write) {
        return new Call(LANE, CALLS, DEADLINE, context -> write.get());
    }

    /** Stores the report, unless it belongs to an earlier registration. */
    private void answered(String plugin, Word word, int registration, NodeInfo answer) {
        if (registration == word.registration) {
            word.said = answer;
            word.outdated = false;
            askLater(plugin);
        }
    }

    private NodeInfo ask(String name, CallContext context) {
        VolumePlugin plugin = plugins.byName(name)
                .filter(AttachLimits::reports)
                .orElseThrow(() -> VolumeException.transientFailure("plugin " + name + " says no limit now"));
        Optional<NodeReporter> node = plugin.nodeReporter();
        NodeInfo said = node.isPresent()
                ? node.get().node(context)
                : new NodeInfo("", Map.of(), plugin.limits().orElseThrow().maxVolumes(context));
        return new NodeInfo(said.nodeId(), said.segments(), Math.max(0, said.maxVolumes()));
    }

    /** @param volumes 0 for no limit */
    private ApiObject publish(String plugin, long volumes, String uid) {
        String[] path = {"status", "allocatable", AttachLimitKey.of(plugin)};
        FieldChange change = volumes > 0 ? FieldChange.set(String.valueOf(volumes), path) : FieldChange.remove(path);
        try {
            return writer.patch(node, new Patch(new Preconditions(uid, ""), true, List.of(change)));
        } catch (ClusterException failure) {
            throw VolumeException.transientFailure("cannot tell the cluster how many volumes of " + plugin
                            + " the node can have: " + failure.getMessage())
                    .withCause(failure);
        }
    }

    private void ended(String plugin, Word word, Action action, Outcome outcome) {
        word.busy = false;
        if (closed) {
            return;
        }
        if (outcome.succeeded()) {
            word.succeeded();
            outcome.requireValue(Runnable.class).run();
        } else {
            failed(plugin, word, action, outcome.requireFailure());
        }
        look(plugin);
    }

    private void failed(String plugin, Word word, Action action, VolumeException failure) {
        word.failures = word.failed == action ? word.failures + 1 : 1;
        word.failed = action;
        word.waits = true;
        Duration delay = backoff.delay(word.failures, failure.kind(), random);
        if (word.failures == 1) {
            LOG.atWarn()
                    .addKeyValue("plugin", plugin)
                    .addKeyValue("action", action)
                    .addKeyValue("nextTry", delay)
                    .log(String.valueOf(failure.getMessage()));
        }
        int failures = word.failures;
        loop.schedule(delay, () -> {
            if (word.failed == action && word.failures == failures) {
                word.waits = false;
                look(plugin);
            }
        });
    }
}
