package io.volume4j.inmemory.attach;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.host.RecordingMetrics;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A cluster in virtual time: a store, a backend, attach/detach controllers, and nodes with volume managers. Every process
 * can be killed and started again or cut off; what it had sent still takes effect.
 */
final class AttachHarness {
    final VirtualScheduler world;
    final InMemoryCluster cluster = InMemoryCluster.create();
    final InMemoryStorage storage;
    final InMemoryPlugin plugin;
    final RecordingEvents events = new RecordingEvents();
    final RecordingMetrics metrics = new RecordingMetrics();
    AttachOptions options = AttachOptions.standard().withResyncPerSecond(0).withVerifyEvery(Duration.ZERO);
    FencingAuthority fencing = FencingAuthority.none();
    Seams<ObjectKey, RecordView, RecordStep> recordSeams = Seams.none();

    /** Other drivers of the controllers. */
    final List<VolumePlugin> others = new ArrayList<>();

    private final Map<String, Controller> controllers = new LinkedHashMap<>();
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private int starts;
    private int attachers;

    AttachHarness(long seed) {
        this(seed, InMemoryStorage.create(), builder -> builder);
    }

    AttachHarness(long seed, InMemoryStorage storage, UnaryOperator<InMemoryPluginBuilder> changes) {
        this.world = new VirtualScheduler(seed, Instant.parse("2026-01-01T00:00:00Z"));
        this.storage = storage;
        this.plugin =
                changes.apply(InMemoryPlugin.builder(storage).recordOnly()).build();
    }

    /** Starts the process of an external attacher; killing its loop ends it. */
    VirtualScheduler.VirtualLoop attacher(
            ClusterWriter writer, AttachOptions options, Consumer<ObjectTransition> carriedOut) {
        VirtualScheduler.VirtualLoop loop = world.loop();
        PluginRegistry plugins = PluginRegistry.builder(
                        InMemoryPluginHost.named("").build())
                .plugin(plugin)
                .build();
        new ExternalAttacherAgent(
                        "mem",
                        new ControlPorts(
                                "attacher" + ++attachers,
                                cluster,
                                writer,
                                plugins,
                                loop,
                                world.workers(),
                                world.random(),
                                LeaderEpoch.alone(),
                                EventSink.none(),
                                MetricsSink.none()),
                        options,
                        carriedOut)
                .start();
        return loop;
    }

    /** A controller's process. */
    final class Controller {
        final Link link = new Link(cluster);
        final VirtualScheduler.VirtualLoop loop;
        final PluginRegistry plugins;
        final AttachAgent agent;

        Controller(LeaderEpoch leader, String process) {
            loop = world.loop();
            plugins = PluginRegistry.builder(InMemoryPluginHost.named("").build())
                    .plugin(plugin)
                    .plugins(others)
                    .build();
            agent = new AttachAgent(
                    new ControlPorts(
                            process,
                            link,
                            link,
                            plugins,
                            loop,
                            world.workers(),
                            world.random(),
                            leader,
                            events,
                            metrics),
                    fencing,
                    options,
                    transition -> {},
                    Seams.none(),
                    recordSeams);
            agent.start();
        }
    }

    // Controllers.

    AttachHarness controller() {
        return controller("c", LeaderEpoch.alone());
    }

    AttachHarness controller(String name, LeaderEpoch leader) {
        starts++;
        controllers.put(name, new Controller(leader, name + starts));
        return this;
    }

    Controller the(String controller) {
        Controller found = controllers.get(controller);
        if (found == null) {
            throw new IllegalArgumentException("no controller " + controller);
        }
        return found;
    }

    AttachAgent agent() {
        return the("c").agent;
    }

    void killController(String name) {
        Controller killed = controllers.remove(name);
        if (killed != null) {
            killed.loop.kill();
        }
    }

    Explanation explain(String volume) {
        return get(agent().explainVolume("pv-" + volume));
    }

    // Nodes.

    /** A node object and a volume manager on it. */
    AttachHarness node(String name) {
        return node(name, AttachMode.CONTROLLER);
    }

    AttachHarness node(String name, AttachMode mode) {
        nodeObject(name, true);
        NodeProcess process = new NodeProcess(this, name, mode);
        nodes.put(name, process);
        process.start();
        return this;
    }

    /** A node object whose volumes are attached from here, without a volume manager. */
    AttachHarness foreignNode(String name) {
        nodeObject(name, true);
        change(
                name,
                node -> NodeObjects.with(
                        node, node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")));
        return this;
    }

    void nodeObject(String name, boolean ready) {
        cluster.apply(NodeObjects.node(name, ready));
    }

    NodeProcess on(String node) {
        NodeProcess found = nodes.get(node);
        if (found == null) {
            throw new IllegalArgumentException("no node " + node);
        }
        return found;
    }

    Node nodeNow(String name) {
        return (Node) cluster.get(ObjectKey.node(name)).orElseThrow();
    }

    boolean has(ObjectKey key) {
        return cluster.get(key).isPresent();
    }

    void change(String node, UnaryOperator<Node> change) {
        cluster.apply(change.apply(nodeNow(node)));
    }

    void ready(String name, boolean ready) {
        change(name, node -> NodeObjects.ready(node, ready));
    }

    void taint(String name, boolean outOfService) {
        change(name, node -> NodeObjects.outOfService(node, outOfService));
    }

    void inUse(String name, String... volumes) {
        change(name, node -> NodeObjects.using(node, volumes));
    }

    void limit(String name, String driver, int volumes) {
        change(name, node -> NodeObjects.limited(node, driver, volumes));
    }

    /** The ids of the volumes that the node may rely on, as its status says. */
    List<String> attachedTo(String node) {
        return nodeNow(node).status().volumesAttached().stream()
                .map(volume -> NodeVolumeNames.idText(volume.name()))
                .toList();
    }

    GrantList grants(String node) {
        return GrantList.parse(nodeNow(node).metadata().annotation(GrantKeys.GRANTS))
                .orElseThrow();
    }

    // Volumes and pods.

    AttachHarness volume(String name, AccessMode... modes) {
        return volume("mem", name, modes);
    }

    AttachHarness volume(String driver, String name, AccessMode... modes) {
        PersistentVolumeClaim claim = VolumeObjects.claim(name, modes);
        cluster.apply(claim);
        cluster.apply(VolumeObjects.volume(driver, name, ObjectReference.to(claim), modes));
        storage.add("h-" + name, VolumeObjects.SIZE.bytes());
        return this;
    }

    /** The volume's object has another handle from now on, as no API server would allow. */
    void rehandle(String name, String handle) {
        PersistentVolume before =
                (PersistentVolume) cluster.get(ObjectKey.volume("pv-" + name)).orElseThrow();
        cluster.apply(VolumeObjects.withHandle(before, handle));
    }

    static VolumeId id(String name) {
        return VolumeId.shared("mem", "h-" + name);
    }

    AttachHarness pod(String name, String node, String... claims) {
        return pod("default", name, node, PodPhase.RUNNING, claims);
    }

    AttachHarness pod(String namespace, String name, String node, PodPhase phase, String... claims) {
        cluster.apply(VolumeObjects.pod(namespace, name, node, phase, claims));
        return this;
    }

    void deletePod(String name) {
        cluster.remove(ObjectKey.pod("default", name));
    }

    // The world.

    AttachHarness settle() {
        world.advance(Duration.ofMinutes(20));
        return this;
    }

    AttachHarness run() {
        world.advance(Duration.ofSeconds(1));
        return this;
    }

    <T> T get(CompletableFuture<T> future) {
        world.runReady();
        if (!future.isDone()) {
            throw new AssertionError("not done: " + future);
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw failed;
        }
    }

    List<String> calls() {
        return new ArrayList<>(storage.callTexts());
    }

    List<String> controlCalls() {
        return calls().stream()
                .filter(call -> call.startsWith("attach ") || call.startsWith("detach "))
                .toList();
    }

    /** Nodes to which the backend has the volume attached. */
    List<String> attached(String volume) {
        return storage.volume("h-" + volume)
                .map(found -> (List<String>) new ArrayList<>(found.attachments().keySet()))
                .orElse(List.of());
    }

    List<VolumeAttachment> records() {
        List<VolumeAttachment> records = new ArrayList<>();
        for (ApiObject object : cluster.export()) {
            if (object.kind() == Kind.VOLUME_ATTACHMENT) {
                records.add((VolumeAttachment) object);
            }
        }
        return records;
    }

    /** Reasons and messages of all events, in order. */
    List<String> told() {
        return events.all().stream()
                .map(event -> event.type() + " " + event.reason() + " "
                        + event.object().kind() + "/" + event.object().name() + ": " + event.message())
                .toList();
    }

    List<String> told(String reason) {
        return told().stream().filter(text -> text.contains(" " + reason + " ")).toList();
    }
}
