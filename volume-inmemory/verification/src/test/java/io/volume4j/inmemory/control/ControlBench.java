package io.volume4j.inmemory.control;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.binding.BindingFeature;
import io.volume4j.core.control.binding.VolumeRequests;
import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.ControllerSpec;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.migration.Translation;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.host.RecordingMetrics;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster, a backend, and a controller over them that runs in virtual time and can be killed at any write. */
final class ControlBench {
    /** The in-tree plugin that {@link #plugin} replaced. */
    static final String IN_TREE = "kubernetes.io/mem";

    final ManualClock clock = new ManualClock();
    final InMemoryCluster cluster = InMemoryCluster.builder().clock(clock).build();
    final InMemoryStorage storage = InMemoryStorage.create();
    final InMemoryPlugin plugin = InMemoryPlugin.on(storage);
    private final SeenCluster seen = new SeenCluster(cluster);
    private final ShrinkingPlugin shrinking = new ShrinkingPlugin(plugin, storage);
    final PluginRegistry plugins;
    final RecordingEvents events = new RecordingEvents();
    final RecordingMetrics metrics = new RecordingMetrics();
    VirtualLoop loop = new VirtualLoop();

    @Nullable
    ObjectReconciler agent;

    private LeaderEpoch leader = LeaderEpoch.alone();
    private ControllerFeatures features = ControllerFeatures.ofController();
    private final List<Feature<?, ?>> observers = new ArrayList<>();
    private UnaryOperator<Patch> server = UnaryOperator.identity();
    private boolean deletionsRefused;
    private @Nullable Runnable duringCreation;
    private @Nullable Runnable later;
    private int starts;
    private int writesUntilCrash = Integer.MAX_VALUE;

    ControlBench() {
        plugins = PluginRegistry.builder(InMemoryPluginHost.named("").build())
                .plugin(shrinking)
                .migration(CsiMigration.standard().with(new Translation(IN_TREE, "memory", "mem", "name", "")))
                .build();
    }

    ControlBench given(ApiObject... objects) {
        for (ApiObject object : objects) {
            cluster.apply(object);
        }
        return this;
    }

    ControlBench leader(LeaderEpoch value) {
        leader = value;
        return this;
    }

    /** What controllers that are started from now on are there for; binding by default. */
    void features(ControllerFeatures value) {
        features = value;
    }

    /** Which objects of the kind the controllers visit that are started from now on. */
    VisitedObjects visits(Kind kind) {
        VisitedObjects visited = new VisitedObjects(kind);
        observers.add(visited);
        return visited;
    }

    private ControllerSpec observed(ControllerSpec spec) {
        List<Feature.Factory> all = new ArrayList<>(spec.features());
        observers.forEach(observer -> all.add(host -> observer));
        return new ControllerSpec(spec.name(), spec.only(), all);
    }

    /** Of a process that has no plugins. */
    static PluginRegistry noPlugins() {
        return PluginRegistry.builder(InMemoryPluginHost.named("").build()).build();
    }

    /** Starts a controller, in place of one that was killed if there was one. */
    ControlBench start() {
        starts++;
        loop = new VirtualLoop();
        agent = newAgent(loop, "p" + starts);
        agent.start();
        return this;
    }

    ObjectReconciler newAgent(VirtualLoop on, String process) {
        return newAgent(on, process, features, plugins);
    }

    ObjectReconciler newAgent(
            VirtualLoop on, String process, ControllerFeatures agentFeatures, PluginRegistry agentPlugins) {
        ControlOptions standard = ControlOptions.standard();
        return new ObjectReconciler(
                new ControlPorts(
                        process,
                        seen,
                        new Mortal(on),
                        agentPlugins,
                        on,
                        on::work,
                        new Random(1),
                        leader,
                        events,
                        metrics),
                new ControlOptions(
                        standard.clusterDeadline(),
                        standard.pluginDeadline(),
                        standard.clusterCalls(),
                        Map.of(),
                        standard.backoff(),
                        standard.limits(),
                        0),
                observed(agentFeatures.spec()),
                transition -> {},
                Seams.none());
    }

    /** Runs everything that is ready and whatever falls due within some minutes. */
    ControlBench settle() {
        loop.advance(Duration.ofMinutes(15));
        return this;
    }

    /** Runs only what is ready now. */
    ControlBench run() {
        loop.runReady();
        return this;
    }

    ControlBench startAndSettle() {
        start().settle();
        if (later != null) {
            Runnable action = later;
            later = null;
            action.run();
            settle();
        }
        return this;
    }

    /** Done once the next start has settled. */
    void later(Runnable action) {
        later = action;
    }

    /** How often objects of the kind were listed so far. */
    int listings(Kind kind) {
        return seen.listings(kind);
    }

    /** Done at the start of each deletion of storage. */
    void whenDeleting(Runnable action) {
        shrinking.whenDeleting = action;
    }

    /** Done once, between the next reading of all objects of the kind and the answer. */
    void duringListing(Kind kind, Runnable action) {
        seen.duringListing(kind, action);
    }

    /** Runs so many tasks of the loop and its workers, or fewer if there are no more within some minutes. */
    int runTasks(int tasks) {
        return loop.advance(Duration.ofMinutes(15), tasks);
    }

    /** See {@link EndState}. */
    String endState() {
        return EndState.of(cluster, storage);
    }

    /** The process dies right after its n-th write from now on was done, before it hears of it. */
    ControlBench crashAfterWrite(int n) {
        writesUntilCrash = n;
        return this;
    }

    /** Whether a crash that was asked for has come, whether or not another process goes on since. */
    boolean everCrashed() {
        return writesUntilCrash <= 0;
    }

    boolean crashed() {
        return loop.dead();
    }

    void kill() {
        loop.kill();
    }

    PersistentVolumeClaim claim(String name) {
        return (PersistentVolumeClaim) cluster.get(GivenClaim.key(name)).orElseThrow();
    }

    PersistentVolume volume(String name) {
        return (PersistentVolume) cluster.get(ObjectKey.volume(name)).orElseThrow();
    }

    boolean has(ObjectKey key) {
        return cluster.get(key).isPresent();
    }

    List<PersistentVolume> volumes() {
        return cluster.export().stream()
                .filter(object -> object.kind() == Kind.PERSISTENT_VOLUME)
                .map(PersistentVolume.class::cast)
                .toList();
    }

    List<String> writes() {
        return cluster.writes().stream().map(write -> write.text()).toList();
    }

    /** Reasons of the events about an object, in order. */
    List<String> told(ObjectKey key) {
        return events.about(key).stream().map(event -> event.reason()).collect(Collectors.toList());
    }

    Explanation explain(ObjectKey key) {
        var future = started().explain(key);
        loop.runReady();
        return future.join();
    }

    /** Waits for what the agent was asked. */
    <T> T answer(CompletableFuture<T> asked) {
        loop.runReady();
        return asked.join();
    }

    ObjectReconciler started() {
        if (agent == null) {
            throw new IllegalStateException("not started");
        }
        return agent;
    }

    /** What people may ask for by name. */
    VolumeRequests requests() {
        return started().feature(BindingFeature.class).requests();
    }

    /** The object is stored, but listings and watches do not show it yet: only a read from the store does. */
    void hideFromLists(ApiObject object) {
        seen.hideFromLists(object.key());
        cluster.apply(object);
    }

    /** The object is stored, but watches are behind and do not show it yet, nor anything that becomes of it. */
    void hideFromWatches(ApiObject object) {
        seen.hideFromWatches(object.key());
        cluster.apply(object);
    }

    /** Another plugin on the same backend. */
    InMemoryPlugin pluginNamed(String name) {
        return InMemoryPlugin.builder(storage).name(name).build();
    }

    /** The next volume that is made says that it is a byte smaller than was asked for. */
    void shrinkNextVolume() {
        shrinking.next = true;
    }

    /** The backend expands only volumes that no pod uses. */
    ControlBench expandsOffline() {
        shrinking.offline = true;
        return this;
    }

    /** Objects as manifests, several documents. */
    ControlBench manifests(String yaml) {
        Manifests.read("given", yaml).forEach(cluster::apply);
        return this;
    }

    /** A user changes fields of the object, at once. */
    void patch(ObjectKey key, boolean status, FieldChange... changes) {
        cluster.patch(key, new Patch(Preconditions.none(), status, List.of(changes)));
    }

    /** Volumes that are made from now on are reachable from nodes with the label only. */
    void reachableOnlyWhere(NodeSelector nodes) {
        shrinking.reach = nodes;
    }

    /** The server has a rule of its own for the patches of controllers: it keeps less of them, or throws its answer. */
    void server(UnaryOperator<Patch> rule) {
        server = rule;
    }

    /** Done once, when a controller has sent the next creation and the server has not done it yet. */
    void duringCreation(Runnable action) {
        duringCreation = action;
    }

    /** Whether the server refuses to delete objects for controllers. */
    void refuseDeletions(boolean value) {
        deletionsRefused = value;
    }

    /** Attachments can be neither listed nor watched. */
    void attachmentsUnreadable() {
        seen.unreadable(Kind.VOLUME_ATTACHMENT);
    }

    /** The cluster, as a process sees it that may die in the middle of a write. */
    private final class Mortal implements ClusterWriter {
        private final VirtualLoop process;

        Mortal(VirtualLoop process) {
            this.process = process;
        }

        @Override
        public ApiObject create(ApiObject object) {
            mustLive();
            if (duringCreation != null) {
                Runnable meanwhile = duringCreation;
                duringCreation = null;
                meanwhile.run();
            }
            ApiObject stored = cluster.create(object);
            survive();
            return stored;
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            mustLive();
            ApiObject stored = cluster.patch(key, server.apply(patch));
            survive();
            return stored;
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            mustLive();
            if (deletionsRefused) {
                throw new ClusterException(ClusterException.Reason.FORBIDDEN, "no deletions");
            }
            cluster.delete(key, preconditions);
            survive();
        }

        private void mustLive() {
            if (process.dead()) {
                throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "this process is dead");
            }
        }

        private void survive() {
            writesUntilCrash--;
            if (writesUntilCrash == 0) {
                process.kill();
                throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "this process is dead");
            }
        }
    }
}
