package io.volume4j.inmemory.control;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.ControlOptions;
import io.volume4j.core.control.run.ControlPorts;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.host.RecordingMetrics;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster, a backend, and a controller over them that runs in virtual time and can be killed at any write. */
final class ControlBench {
    final ManualClock clock = new ManualClock();
    final InMemoryCluster cluster = InMemoryCluster.builder().clock(clock).build();
    final InMemoryStorage storage = InMemoryStorage.create();
    final InMemoryPlugin plugin = InMemoryPlugin.on(storage);
    private final ShrinkingPlugin shrinking = new ShrinkingPlugin(plugin, storage);
    final PluginRegistry plugins;
    final RecordingEvents events = new RecordingEvents();
    final RecordingMetrics metrics = new RecordingMetrics();
    VirtualLoop loop = new VirtualLoop();

    @Nullable
    BindingAgent agent;

    private LeaderEpoch leader = LeaderEpoch.alone();
    private Duty duty = Duty.binding();
    private final Set<ObjectKey> hidden = new HashSet<>();
    private final Set<ObjectKey> unwatched = new HashSet<>();
    private final Set<Kind> unreadable = EnumSet.noneOf(Kind.class);
    private final Map<Kind, Integer> listings = new EnumMap<>(Kind.class);
    private final Map<Kind, Runnable> duringListing = new EnumMap<>(Kind.class);
    private @Nullable Runnable later;
    private int starts;
    private int writesUntilCrash = Integer.MAX_VALUE;

    ControlBench() {
        plugins = PluginRegistry.builder(InMemoryPluginHost.named("").build())
                .plugin(shrinking)
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
    void duty(Duty value) {
        duty = value;
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

    BindingAgent newAgent(VirtualLoop on, String process) {
        return newAgent(on, process, duty, plugins);
    }

    BindingAgent newAgent(VirtualLoop on, String process, Duty agentDuty, PluginRegistry agentPlugins) {
        ControlOptions standard = ControlOptions.standard();
        return new BindingAgent(
                new ControlPorts(
                        process,
                        new Seen(),
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
                agentDuty,
                transition -> {});
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
        return listings.getOrDefault(kind, 0);
    }

    /** Done once, between the next reading of all objects of the kind and the answer. */
    void duringListing(Kind kind, Runnable action) {
        duringListing.put(kind, action);
    }

    /** Runs so many tasks of the loop and its workers, or fewer if there are no more within some minutes. */
    int runTasks(int tasks) {
        return loop.advance(Duration.ofMinutes(15), tasks);
    }

    /** What matters in the end: every object without revisions and generated UIDs, and what the backend holds. */
    String endState() {
        StringBuilder text = new StringBuilder();
        for (ApiObject object : cluster.export()) {
            if (object instanceof PersistentVolume volume) {
                ObjectReference claim = volume.spec().claimRef();
                text.append(volume.key())
                        .append(" phase=")
                        .append(volume.status().phase())
                        .append(" claim=")
                        .append(claim == null ? "-" : claim.namespace() + "/" + claim.name() + "/" + claim.uid());
            } else if (object instanceof PersistentVolumeClaim claim) {
                text.append(claim.key())
                        .append(" phase=")
                        .append(claim.status().phase())
                        .append(" class=")
                        .append(claim.spec().storageClassName())
                        .append(" volume=")
                        .append(claim.spec().volumeName())
                        .append(" modes=")
                        .append(claim.status().accessModes())
                        .append(" capacity=")
                        .append(claim.status().capacity());
            } else if (object instanceof VolumeSnapshot snapshot) {
                text.append(snapshot.key())
                        .append(" bound=")
                        .append(snapshot.status().contentName())
                        .append(" ready=")
                        .append(snapshot.status().ready())
                        .append(" error=")
                        .append(snapshot.status().error());
            } else if (object instanceof VolumeSnapshotContent content) {
                text.append(content.key())
                        .append(" handle=")
                        .append(content.handle())
                        .append(" ready=")
                        .append(content.status().ready())
                        .append(" error=")
                        .append(content.status().error());
            } else if (object instanceof VolumeGroupSnapshot group) {
                text.append(group.key())
                        .append(" bound=")
                        .append(group.status().contentName())
                        .append(" ready=")
                        .append(group.status().ready());
            } else if (object instanceof VolumeGroupSnapshotContent content) {
                text.append(content.key())
                        .append(" handle=")
                        .append(content.handle())
                        .append(" members=")
                        .append(content.status().members().size());
            } else {
                continue;
            }
            text.append(" annotations=")
                    .append(new TreeMap<>(object.metadata().annotations()))
                    .append(" finalizers=")
                    .append(object.metadata().finalizers())
                    .append(object.metadata().deleting() ? " deleting" : "")
                    .append('\n');
        }
        storage.volumes()
                .forEach(volume ->
                        text.append("backend ").append(volume.handle()).append('\n'));
        storage.snapshotHandles()
                .forEach(handle ->
                        text.append("backend snapshot ").append(handle).append('\n'));
        storage.groupSnapshotHandles()
                .forEach(handle -> text.append("backend group ").append(handle).append('\n'));
        return text.toString();
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

    BindingAgent started() {
        if (agent == null) {
            throw new IllegalStateException("not started");
        }
        return agent;
    }

    static StorageClass storageClass(String name, String provisioner) {
        return storageClass(name, provisioner, ReclaimPolicy.DELETE, VolumeBindingMode.IMMEDIATE);
    }

    static StorageClass storageClass(
            String name, String provisioner, ReclaimPolicy policy, VolumeBindingMode bindingMode) {
        return new StorageClass(
                ObjectMeta.named("", name).withUid("uid-" + name),
                provisioner,
                Map.of(),
                policy,
                List.of(),
                true,
                bindingMode,
                null,
                Unmodeled.none());
    }

    static StorageClass defaultClass(String name, String provisioner) {
        StorageClass plain = storageClass(name, provisioner);
        return new StorageClass(
                plain.metadata().withAnnotation(WellKnown.DEFAULT_CLASS, "true"),
                provisioner,
                Map.of(),
                plain.reclaimPolicy(),
                List.of(),
                true,
                plain.volumeBindingMode(),
                null,
                Unmodeled.none());
    }

    static Node nodeUsing(String name, String... volumeIds) {
        return new Node(
                ObjectMeta.named("", name).withUid("uid-" + name),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(volumeIds), List.of(), Map.of()),
                Unmodeled.none());
    }

    static Node node(String name, Map<String, String> labels) {
        return new Node(
                ObjectMeta.named("", name).withUid("uid-" + name).withLabels(labels),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    /** The object is stored, but listings and watches do not show it yet: only a read from the store does. */
    void hideFromLists(ApiObject object) {
        hidden.add(object.key());
        cluster.apply(object);
    }

    /** The object is stored, but watches are behind and do not show it yet, nor anything that becomes of it. */
    void hideFromWatches(ApiObject object) {
        unwatched.add(object.key());
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

    /** The backend expands only what nobody uses. */
    ControlBench expandsOffline() {
        shrinking.offline = true;
        return this;
    }

    /** Objects as manifests, several documents. */
    ControlBench manifests(String yaml) {
        Manifests.read("given", yaml).forEach(cluster::apply);
        return this;
    }

    /** Somebody changes fields of the object, at once. */
    void patch(ObjectKey key, boolean status, FieldChange... changes) {
        cluster.patch(key, new Patch(Preconditions.none(), status, List.of(changes)));
    }

    /** Volumes that are made from now on are reachable from nodes with the label only. */
    void reachableOnlyWhere(NodeSelector nodes) {
        shrinking.reach = nodes;
    }

    /** Attachments can be neither listed nor watched. */
    void attachmentsUnreadable() {
        unreadable.add(Kind.VOLUME_ATTACHMENT);
    }

    /** What the controller sees of the cluster. */
    private final class Seen implements ClusterSource {
        @Override
        public Listing list(Kind kind, Selection selection) {
            if (unreadable.contains(kind)) {
                throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "cannot list " + kind.apiName());
            }
            Listing listing = cluster.list(kind, selection);
            listings.merge(kind, 1, Integer::sum);
            @Nullable Runnable meanwhile = duringListing.remove(kind);
            if (meanwhile != null) {
                meanwhile.run();
            }
            return new Listing(
                    listing.objects().stream()
                            .filter(object -> !hidden.contains(object.key()))
                            .toList(),
                    listing.revision());
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            return cluster.watch(kind, selection, revision, event -> {
                ObjectKey key = event.object() == null ? null : event.object().key();
                if (key == null || (!hidden.contains(key) && !unwatched.contains(key))) {
                    listener.onEvent(event);
                }
            });
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return cluster.readLive(key);
        }

        @Override
        public int compareRevisions(String left, String right) {
            return cluster.compareRevisions(left, right);
        }
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
            ApiObject stored = cluster.create(object);
            survive();
            return stored;
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            mustLive();
            ApiObject stored = cluster.patch(key, patch);
            survive();
            return stored;
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            mustLive();
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
